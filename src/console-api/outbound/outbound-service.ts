import type { WebhookHealth } from "#/delivery/webhooks/index.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

/** The delivery channels of one type of outbound feed for a client (outbound.md, Delivery). */
export interface ChannelsOfType {
  readonly type: OutboundType;
  readonly isHttp: boolean;
  readonly isSftp: boolean;
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

export interface ChannelsRequest {
  readonly types: readonly OutboundType[];
  readonly isHttp: boolean;
  readonly isSftp: boolean;
  readonly push:
    | {
        readonly url: string;
        readonly headers: Readonly<Record<string, string | null>>;
        readonly isSecretNew: boolean;
      }
    | undefined;
}

/**
 * The operations on outbound documents. The role passes them in, because delivery is not a part of a module. The clients'
 * own requests and the command line use the same functions.
 */
export interface OutboundService {
  /** Resends over each of the current channels of its type; returns false where the client has no such document. */
  resend(tx: UnitOfWork, messageId: string): Promise<boolean>;
  showChannels(tx: ClientTx): Promise<readonly ChannelsOfType[]>;
  /** Refused with the faults of the address or its headers, `#/url` and `#/customHeaders/NAME`. */
  setChannels(
    tx: UnitOfWork,
    wanted: ChannelsRequest,
  ): Promise<Result<readonly ChannelsOfType[], readonly RequestFault[]>>;
}
