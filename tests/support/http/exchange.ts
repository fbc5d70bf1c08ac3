// The folders of the SFTP exchange with a separate database and the real receiver, without the network.
import assert from "node:assert/strict";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { openExchange } from "#/intake/sftp/exchange/exchange.ts";
import type { Folder, ReadableFile, Refusal, WritableFile } from "#/intake/sftp/file-system.ts";
import { type Clock, systemClock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { Result } from "#/kernel/result.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { atEnd } from "../app/at-end.ts";

/** Result of an upload: undefined, or the reason of its rejection. */
export type Answer = Refusal | undefined;

export interface Session {
  folder(path: string): Folder;
  open(type: FeedType, name: string, mode?: { isExclusive?: boolean; isTruncating?: boolean }): Promise<WritableFile>;
  /** Opens, writes in parts and closes, like a client that uploads a file. */
  put(type: FeedType, name: string, bytes: string | Uint8Array, partBytes?: number): Promise<Answer>;
  /** Uploads a file that must be accepted, and returns its ACK. */
  exchange(type: FeedType, name: string, bytes: string | Uint8Array): Promise<string>;
  rename(type: FeedType, name: string, to: string): Promise<Answer>;
  remove(path: string, name: string): Promise<Answer>;
  /** The whole file, read in parts. */
  get(path: string, name: string): Promise<Buffer>;
  names(path: string): Promise<string[]>;
}

export interface ExchangeNode {
  readonly receiver: Receiver;
  readonly logged: string[];
  open(clientId?: string): Session;
  close(): Promise<void>;
}

/** A node of the exchange, with its own receiver on the given database. */
export async function startExchange(context: {
  readonly database: Database;
  readonly clients: readonly FeedClient[];
  readonly clock?: Clock;
  readonly claimMs?: number;
  /** Memory for large files; without it, they go through the store. */
  readonly sharedBytesMax?: number;
  readonly waitingBytesMax?: number;
}): Promise<ExchangeNode> {
  const { database, clients, clock = systemClock } = context;
  const ids = createIds();
  const logged: string[] = [];
  const stack = await createFeedStack({ database, clock, ids });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await stack.close();
  };
  atEnd(close);
  const log = createLogger({
    level: "info",
    format: "json",
    destination: { write: (line: string) => void logged.push(line) },
  });
  const openFolders = openExchange({
    database,
    clock,
    ids,
    log,
    receiver: stack.receiver,
    findClient: async (clientId) => clients.find((client) => client.clientId === clientId),
    sharedBytesMax: context.sharedBytesMax ?? 0,
    ...(context.waitingBytesMax === undefined ? {} : { waitingBytesMax: context.waitingBytesMax }),
    ...(context.claimMs === undefined ? {} : { claimMs: context.claimMs }),
  });
  return {
    open: (clientId = "DEMO") =>
      sessionOf(openFolders({ clientId, credentialId: "1", actor: "sftp:test", origin: "test" })),
    receiver: stack.receiver,
    logged,
    close,
  };
}

function sessionOf(folders: ReadonlyMap<string, Folder>): Session {
  const folder = (path: string): Folder => {
    const found = folders.get(path);
    assert.ok(found, `there is a folder ${path}`);
    return found;
  };
  const session: Session = {
    folder,
    async open(type, name, mode = {}) {
      const opened = await folder(`/inbound/${type}`).openWrite?.(name, {
        isExclusive: false,
        isTruncating: true,
        ...mode,
      });
      return taken(opened);
    },
    async put(type, name, bytes, partBytes = 32 * 1024) {
      const opened = await folder(`/inbound/${type}`).openWrite?.(name, { isExclusive: false, isTruncating: true });
      assert.ok(opened);
      if (!opened.ok) return opened.fault;
      const whole = Buffer.from(bytes);
      for (let at = 0; at < whole.length; at += partBytes) {
        const written = await opened.value.write(at, whole.subarray(at, at + partBytes));
        if (!written.ok) {
          await opened.value.abandon();
          return written.fault;
        }
      }
      return answerOf(await opened.value.close());
    },
    async exchange(type, name, bytes) {
      assert.equal(await session.put(type, name, bytes), undefined);
      return (await session.get("/acks", `${name}.ack.xml`)).toString();
    },
    rename: async (type, name, to) =>
      answerOf(await folder(`/inbound/${type}`).rename?.(name, { folder: `/inbound/${type}`, name: to })),
    remove: async (path, name) => answerOf(await folder(path).remove?.(name)),
    async get(path, name) {
      const opened = await folder(path).openRead?.(name);
      const file = taken<ReadableFile>(opened);
      const parts: Buffer[] = [];
      for (let at = 0; ; ) {
        const part = await file.read(at, 32 * 1024);
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
      }
      await file.close();
      const whole = Buffer.concat(parts);
      assert.equal(whole.length, file.size, `the size of ${path}/${name} is true`);
      return whole;
    },
    names: async (path) => (await folder(path).list()).map(({ name }) => name),
  };
  return session;
}

export function taken<Value>(result: Result<Value, Refusal> | undefined): Value {
  assert.ok(result, "that can be done in the folder");
  assert.ok(result.ok, result.ok ? "" : result.fault.message);
  return result.value;
}

export function answerOf(result: Result<void, Refusal> | undefined): Answer {
  assert.ok(result, "that can be done in the folder");
  return result.ok ? undefined : result.fault;
}

export const tokenOf = (ack: string): string => /<token>([^<]*)/.exec(ack)?.[1] ?? "";

export const isAccepted = (ack: string): boolean => ack.includes("<success>true</success>");

/** A catalogue of one item, accepted on every repetition. */
export const catalogueXml = (sku: string, name = sku, clientId = "DEMO"): string =>
  `<itemMaster><clientId>${clientId}</clientId><date>2026-01-01T00:00:00Z</date><item><sku>${sku}</sku><name>${name}</name></item></itemMaster>`;
