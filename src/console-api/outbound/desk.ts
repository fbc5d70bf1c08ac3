import type { Change } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import type { WebhookHealth } from "#/delivery/webhooks/index.ts";
import type { RequestFault } from "#/http/problems/problem.ts";
import type { Result } from "#/kernel/result.ts";

/** All types of outbound documents (outbound.md). */
export const documentTypes = ["ACK", "GR", "OS", "RS", "ADJ", "INV", "IMS"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** How one type of outbound feed reaches a client (outbound.md, Delivery). */
export interface WaysOfType {
  readonly type: DocumentType;
  readonly isPulled: boolean;
  readonly isOnSftp: boolean;
  readonly push:
    | {
        readonly webhookId: string;
        readonly url: string;
        readonly status: string;
        readonly health?: WebhookHealth | undefined;
      }
    | undefined;
  /** `whsec_…`, where it is new: shown once. */
  readonly signingSecret?: string | undefined;
}

export interface WaysWanted {
  readonly types: readonly DocumentType[];
  readonly isPulled: boolean;
  readonly isOnSftp: boolean;
  readonly push:
    | {
        readonly url: string;
        readonly headers: Readonly<Record<string, string | null>>;
        readonly isSecretNew: boolean;
      }
    | undefined;
}

/**
 * What is done with outbound documents: passed in by the role, because delivering is no part of a module. The same functions
 * as behind the clients' own requests and the command line.
 */
export interface OutboundDesk {
  /** By each of the ways that its type takes now; answers false where the client has no such document. */
  resend(tx: Transaction, change: Change, clientId: string, messageId: string): Promise<boolean>;
  showWays(tx: Tx, clientId: string): Promise<readonly WaysOfType[]>;
  /** Refused with what is wrong with the address or its headers, `#/url` and `#/customHeaders/NAME`. */
  setWays(
    tx: Transaction,
    change: Change,
    clientId: string,
    wanted: WaysWanted,
  ): Promise<Result<readonly WaysOfType[], readonly RequestFault[]>>;
}
