import { notifyOutbox } from "#/app/roles/notices.ts";
import { ackReport, printable, readAck } from "#/cli/ack-report.ts";
import { columns } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, type Refusal, refuse } from "#/cli/command.ts";
import { type Platform, readCallersFile, withPlatform } from "#/cli/context.ts";
import { findOutbound } from "#/delivery/outbound/repository.ts";
import { findClientOfToken } from "#/intake/feeds/feeds.cross-client.ts";
import { bodyBytesMax } from "#/intake/feeds/http/body.ts";
import type { Delivery, Receipt } from "#/intake/feeds/intake/receiver.ts";
import { findDocument, type StoredDocument } from "#/intake/feeds/repository.ts";
import { type FeedStatus, statusOf } from "#/intake/feeds/status.ts";
import { assert } from "#/kernel/assert.ts";
import { type FeedType, feedTypes, isFeedType } from "#/kernel/feed-types.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import type { ClientProfile } from "#/modules/clients/domain.ts";
import { profileWithoutClient, showClient } from "#/modules/clients/service.ts";

export const feedSend = (call: Call): Promise<Outcome> => submitFile(call, "send");

export const feedValidate = (call: Call): Promise<Outcome> => submitFile(call, "validate");

/**
 * Passes a file to the receiver, in this process: the same code as over HTTP, whether or not a server is running.
 * @param mode whether the document takes effect, or is only validated.
 */
async function submitFile(call: Call, mode: "send" | "validate"): Promise<Outcome> {
  const type = call.given("type").toUpperCase();
  if (!isFeedType(type)) return misuse(`--type is one of ${feedTypes.join(", ")}`);
  const file = readCallersFile(call.argument("FILE"));
  if (!file.ok) return file;
  const bytes = file.value;
  if (bytes.byteLength > bodyBytesMax) return refuse("the document is over 20 MiB: split it");
  return withPlatform(async (platform) => {
    const client = await clientOf(platform, call.option("client"), bytes);
    if (!client.ok) return client;
    if (client.value.status === "SUSPENDED" && mode === "send") {
      return refuse(`client ${client.value.clientId} is suspended`);
    }
    return reportOf(await submit(platform, { client: client.value, type, bytes }, mode), mode);
  });
}

/** The named client, else the client that the document names; without either, the document can only be parsed. */
async function clientOf(
  { database }: Platform,
  named: string | undefined,
  bytes: Buffer,
): Promise<Result<ClientProfile, Refusal>> {
  const clientId = named ?? clientIdIn(bytes);
  if (clientId === undefined) return ok(profileWithoutClient());
  const shown = await showClient(database.of(clientId));
  return shown.ok ? shown : refuse(shown.fault);
}

/** A guess of the document's client: the receiver parses it properly. */
function clientIdIn(bytes: Buffer): string | undefined {
  const text = bytes.subarray(0, 65_536).toString("latin1").replaceAll("\0", "");
  return /<clientId>\s*([A-Za-z0-9_-]{1,10})\s*<\/clientId>/.exec(text)?.[1];
}

async function submit(
  { database, clock, ids }: Platform,
  document: { readonly client: ClientProfile; readonly type: FeedType; readonly bytes: Buffer },
  mode: "send" | "validate",
): Promise<Receipt> {
  // Loaded only here: no other command needs the XML library.
  const { createFeedStack } = await import("#/app/roles/feed-stack.ts");
  const stack = await createFeedStack({ database, clock, ids });
  try {
    const delivery: Delivery = {
      ...document,
      channel: "CLI",
      contentType: "application/xml",
      charset: undefined,
      idempotencyKey: undefined,
      token: ids.next(clock.now()),
    };
    if (mode === "validate") return await stack.receiver.validate(delivery);
    const receipt = await stack.receiver.receive(delivery);
    // A hint: the document is committed.
    await notifyOutbox(database, [document.client.clientId]).catch(() => {});
    return receipt;
  } finally {
    await stack.close();
  }
}

const verbs = {
  send: { accepted: "is accepted", rejected: "is rejected" },
  validate: { accepted: "would be accepted", rejected: "would be rejected" },
} as const;

function reportOf(receipt: Receipt, mode: "send" | "validate"): Outcome {
  assert(
    receipt.kind === "validated" || receipt.kind === "replayed",
    "only an Idempotency-Key is in progress or conflicts",
  );
  const ack = readAck(receipt.ack);
  const isReplay = receipt.kind === "replayed";
  const { json, lines } = ackReport(
    ack,
    isReplay ? { ...verbs[mode], accepted: "was accepted before, with the same bytes" } : verbs[mode],
  );
  // A document that is only validated leaves nothing that its token could find.
  const report = { json, lines: mode === "send" || isReplay ? [...lines, `Token ${ack.token}`] : lines };
  if (ack.success) return ok(report);
  const many = ack.errors.length === 1 ? "1 error" : `${ack.errors.length} errors`;
  return refuse(`the document ${verbs[mode].rejected}: ${many}`, report);
}

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
    const { bodyBytes: bytes, channel } = document;
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
    ["Size", `${document.bodyBytes} bytes`],
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
