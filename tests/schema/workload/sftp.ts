// The SFTP exchange, for the workload of plans.test.ts.

import { settleFile } from "#/intake/feeds/file-repository.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { openExchange, purgeExchange } from "#/intake/sftp/exchange/exchange.ts";
import { keepClaim } from "#/intake/sftp/exchange/upload-repository.ts";
import type { Folder } from "#/intake/sftp/file-system.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();
const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });

/**
 * Sends every statement of the exchange, and leaves files of every kind.
 *
 * @param order an accepted NO of the client, whose repetition is answered with its ACK
 */
export async function runExchange(
  database: Database,
  receiver: Receiver,
  client: FeedClient,
  order: Buffer,
): Promise<void> {
  const { clientId } = client;
  const replaying: FeedClient = { ...client, settings: { ...client.settings, identicalResend: "REPLAY" } };
  const openFolders = openExchange({
    database,
    clock: systemClock,
    ids,
    log,
    receiver,
    findClient: async () => replaying,
    // All large files are buffered in the store.
    sharedBytesMax: 0,
  });
  const folders = openFolders({ clientId, credentialId: "1", actor: "sftp:test", origin: "test" });
  const folder = (path: string) => folders.get(path) as Folder;
  const put = async (type: FeedType, name: string, bytes: Buffer, isCut = false) => {
    const opened = await folder(`/inbound/${type}`).openWrite?.(name, { isExclusive: false, isTruncating: true });
    if (!opened?.ok) throw new Error(opened?.fault.message);
    await opened.value.write(0, bytes);
    if (isCut) await opened.value.abandon();
    else await opened.value.close();
  };
  const large = Buffer.alloc(300 * 1024, "x");
  const rename = (name: string, to: string) =>
    folder("/inbound/NO").rename?.(name, { folder: "/inbound/NO", name: to });

  // One name validated, repeated with and without its ACKs, and validated again; a document that was sent before under
  // another name.
  for (const _ of ["judged", "repeated"]) await put("NO", "a.xml", Buffer.from("first"));
  for (const _ of ["repeats a document", "repeats a file"]) await put("NO", "b.xml", order);
  const rejected = ids.next(Date.now());
  await database.transaction(async (tx) =>
    settleFile(tx.of(clientId), new Date().toISOString(), { token: rejected, isAccepted: true, ackBytes: 1 }),
  );
  const acks = await folder("/acks").list();
  for (const { name } of acks) {
    await folder("/acks").find(name);
    await folder("/acks").openRead?.(name);
    await folder("/acks").remove?.(name);
  }
  await put("NO", "b.xml", order);
  for (const path of ["/archive", "/rejected"]) {
    for (const { name } of await folder(path).list()) {
      await folder(path).find(name);
      const opened = await folder(path).openRead?.(name);
      if (opened?.ok) await opened.value.read(0, 10);
    }
  }
  // Files in parts: validated, waiting, cut off, renamed, removed.
  await put("NO", "large.xml", large);
  await put("NO", "large.tmp", large);
  await put("NO", "other.tmp", large);
  await put("NO", "cut.tmp", large, true);
  await rename("large.tmp", "second.tmp");
  await rename("second.tmp", "second.xml");
  await folder("/inbound/NO").list();
  await folder("/inbound/NO").find("other.tmp");
  await folder("/inbound/NO").remove?.("other.tmp");
  await keepClaim(database.of(clientId), ids.next(Date.now()), undefined);
  await Array.fromAsync(purgeExchange({ database, clock: { now: () => Date.now() + 31 * dayMs } }, clientId));
  await put("NO", "waiting.tmp", large);
  await put("NO", "c.xml", large);
}
