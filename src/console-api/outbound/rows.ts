import type { mailStatuses } from "#/delivery/mail/index.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";

/** An outbound document as operators see it. Moments ISO 8601 UTC. */
export interface DocumentRow {
  readonly client_id: string;
  readonly message_id: string;
  readonly type: OutboundType;
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
  readonly status: (typeof mailStatuses)[number];
  readonly attempts: number;
  readonly last_error: string | null;
  readonly scheduled_at: string;
  readonly due_at: string;
  readonly created_at: string;
  readonly sent_at: string | null;
}
