import { printable } from "#/cli/ack-report.ts";
import { columns } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { findOutbound } from "#/delivery/outbound/origin.ts";
import { findClientOfToken } from "#/feeds/feeds.cross-client.ts";
import { findDocument, type StoredDocument } from "#/feeds/repository.ts";
import { type FeedStatus, statusOf } from "#/feeds/status.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";

export async function feedShow(call: Call): Promise<Outcome> {
  const token = call.argument("TOKEN").toLowerCase();
  if (!isUuidV7(token)) return misuse(`'${token}' is not a token of Crossdock (a UUID of version 7)`);
  return withPlatform(async ({ database }) => {
    const named = call.option("client");
    const clientId = named ?? (await findClientOfToken(database, token));
    const view = clientId === undefined ? undefined : database.of(clientId);
    const document = view && (await findDocument(view, token));
    if (view === undefined || document === undefined) {
      return refuse(`there is no document ${token}${named === undefined ? "" : ` of client ${named}`}`);
    }
    const { body_bytes: bytes, channel } = document;
    const status = statusOf(document, await findOutbound(view, token));
    return done({ clientId: view.clientId, ...status, channel, bytes }, linesOf(view.clientId, document, status));
  });
}

function linesOf(clientId: string, document: StoredDocument, status: FeedStatus): string[] {
  const rows = [
    ["Token", status.token],
    ["Client", clientId],
    ["Document", [status.feedType, status.objectId ?? ""].join(" ")],
    ["State", status.state],
    ["Received", `${status.receivedAt} by ${document.channel}`],
    ["Processed", status.processedAt ?? "not yet"],
    ["Size", `${document.body_bytes} bytes`],
  ];
  return [
    ...columns(rows.map((row) => row.map(printable))),
    ...listed("Errors", status.errors),
    ...listed("Warnings", status.warnings),
    ...listed("Unknown SKUs", status.missingSkus),
    ...listed(
      "Outbound",
      status.outbound.map(({ messageId, type }) => `${type} ${messageId}`),
    ),
  ];
}

function listed(heading: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : ["", heading, ...texts.map((text) => `  ${printable(text)}`)];
}
