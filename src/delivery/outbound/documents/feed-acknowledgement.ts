import { type Envelope, writeDocument } from "#/delivery/outbound/documents/envelope.ts";
import { leaf, listOf } from "#/delivery/outbound/documents/xml-lines.ts";
import type { FeedResult } from "#/feeds/states.ts";

/** ACK: the result of a feed document after its first answer. */
export interface FeedAcknowledgementContent {
  readonly token: string;
  readonly feedType: string;
  readonly objectId?: string | null | undefined;
  readonly result: FeedResult;
  readonly errors: readonly string[];
  /** State of the object; a CAT has none. */
  readonly status?: string | undefined;
}

export function writeFeedAcknowledgement(envelope: Envelope, content: FeedAcknowledgementContent): Buffer {
  return writeDocument("feedAcknowledgement", envelope, [
    leaf("token", content.token),
    leaf("feedType", content.feedType),
    leaf("objectId", content.objectId),
    leaf("result", content.result),
    listOf("errors", content.errors, (error) => leaf("error", error)),
    leaf("status", content.status),
  ]);
}
