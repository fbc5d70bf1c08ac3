// Delivery channels of outbound feeds, for the workload of plans.test.ts.

import { setChannels, showChannels } from "#/delivery/outbound/channel-service.ts";
import { findDocumentVersions, readDocuments } from "#/delivery/outbound/channels.ts";
import { listPending } from "#/delivery/outbound/repository.ts";
import * as folders from "#/delivery/outbound/sftp-folders.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

/** Sets every kind of channel, and leaves one row. */
export async function runOutboundChannels(database: Database, clientId: string): Promise<void> {
  const pushContext = {
    secretBox: createSecretBox("a master key for tests, long enough"),
    world: { allowsPlainHttp: true, refusalOfUrl: () => undefined },
  };
  const push = { url: "https://example.com/feeds", headers: {}, isSecretNew: false };
  // The push is created, changed, and ended.
  for (const target of [push, { ...push, isSecretNew: true }, undefined]) {
    const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
    const request = { types: ["OS"] as const, isHttp: true, isSftp: true, push: target };
    const set = await database.transaction((tx) => setChannels(tx.of(clientId, change), request, pushContext));
    if (!set.ok) throw new Error(set.fault.map(({ message }) => message).join());
    await showChannels(database.of(clientId));
  }
  const [document] = await listPending(database.of(clientId), 0, undefined, 1);
  if (!document) throw new Error("there is no outbound document");
  await readDocuments(database.of(clientId), [document.messageId]);
  await findDocumentVersions(database.of(clientId));
  await runFolders(database, clientId, document.messageId);
}

async function runFolders(database: Database, clientId: string, messageId: string): Promise<void> {
  const at = new Date().toISOString();
  const places = [{ kind: "UNTAKEN" }, { kind: "TAKEN", after: at }] as const;
  await folders.listUntaken(database.of(clientId), "OS", 10_000);
  await folders.listTaken(database.of(clientId), at, 10_000);
  for (const place of places) await folders.findFile(database.of(clientId), messageId, place);
  await folders.readBytes(database.of(clientId), messageId, 0, 1_024);
  await folders.markRead(database.of(clientId), messageId, at);
  await folders.markTaken(database.of(clientId), messageId, at);
}
