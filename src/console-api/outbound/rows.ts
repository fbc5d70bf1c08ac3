import type { DocumentType } from "#/console-api/outbound/outbound-service.ts";

/** An outbound document as operators see it. Moments ISO 8601 UTC. */
export interface DocumentRow {
  readonly client_id: string;
  readonly message_id: string;
  readonly type: DocumentType;
  readonly object_id: string;
  readonly facility_code: string | null;
  readonly feed_token: string | null;
  readonly part: number;
  readonly parts: number;
  readonly created_at: string;
  /** Size of the XML, in bytes. */
  readonly size: number;
  readonly is_http: boolean;
  readonly acknowledged_at: string | null;
  readonly is_sftp: boolean;
  readonly read_at: string | null;
  readonly collected_at: string | null;
}

/** A mail as the list shows it. Moments ISO 8601 UTC. */
export interface MailRow {
  readonly client_id: string;
  readonly mail_id: string;
  readonly address: string;
  readonly subject: string;
  readonly status: "PENDING" | "SENT" | "KEPT" | "FAILED";
  readonly attempts: number;
  readonly last_error: string | null;
  readonly scheduled_at: string;
  readonly due_at: string;
  readonly created_at: string;
  readonly sent_at: string | null;
}
