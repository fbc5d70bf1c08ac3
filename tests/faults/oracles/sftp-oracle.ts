// Invariants of the database and of the folders after cut uploads, checked from the senders' knowledge.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SftpSession } from "../../support/sftp/session.ts";
import { clientId, type Upload } from "../load/sftp-uploads.ts";
import { withClient } from "./oracle.ts";

/** Two files that are cut off early may have the same bytes, so the name is part of the key. */
const keyOf = (name: string, bytes: Buffer): string => `${name} ${createHash("sha256").update(bytes).digest("hex")}`;

interface Document {
  readonly token: string;
  readonly feed_type: string;
  readonly state: string;
  readonly object_id: string | null;
  readonly body: string;
  readonly ack: string;
  /** Names of the files with this document; must be exactly one. */
  readonly names: readonly string[];
}

interface Known {
  readonly upload: Upload;
  readonly isWhole: boolean;
}

/** By now, every upload has been answered. @returns the number of documents of each kind */
export async function checkUploads(databaseUrl: string, uploads: readonly Upload[], session: SftpSession) {
  const { documents, orders, strays } = await readStore(databaseUrl);
  const known = new Map<string, Known>();
  for (const upload of uploads) {
    known.set(keyOf(upload.name, upload.bytes), { upload, isWhole: true });
    if (upload.broken) known.set(keyOf(upload.name, upload.broken.bytes), { upload, isWhole: false });
  }
  for (const { token, names, body, state } of documents) {
    assert.equal(names.length, 1, `document ${token} is of one file, and not of ${names.join(" and ")}`);
    const from = known.get(`${names[0]} ${body}`);
    assert(from, `document ${token} (${state}) of ${names[0]} has bytes with which no session closed that file`);
    const { upload, isWhole } = from;
    assert.equal(state, isWhole ? "PROCESSED" : "REJECTED", `${upload.name}: a ${isWhole ? "whole" : "broken"} file`);
  }
  const byFile = Map.groupBy(documents, ({ names, body }) => `${names[0]} ${body}`);
  for (const { name, bytes, broken, ack } of uploads) {
    const accepted = byFile.get(keyOf(name, bytes)) ?? [];
    assert.equal(accepted.length, 1, `${name} was accepted once, and not ${accepted.length} times`);
    assert.equal(accepted[0]?.ack, ack, `${name}: the kept ACK is the one that was fetched`);
    const rejected = (broken && byFile.get(keyOf(name, broken.bytes))) ?? [];
    if (broken?.isAnswered) assert.equal(rejected.length, 1, `${name}, cut short and closed, was judged once`);
    assert(rejected.length <= 1, `${name}, cut short and closed, was judged ${rejected.length} times`);
  }
  const accepted = documents.filter(({ state, feed_type }) => state === "PROCESSED" && feed_type === "NO");
  assert.deepEqual(
    orders.map(({ order_id, lines }) => `${order_id} ${lines}`).sort(),
    uploads.flatMap(({ orderId, lines }) => (orderId === undefined ? [] : `${orderId} ${lines}`)).sort(),
    "each order that was put is there once, with all its lines",
  );
  assert.deepEqual(orders.map(({ feed_token }) => feed_token).sort(), accepted.map(({ token }) => token).sort());
  assert.deepEqual(strays, { chunks: 0, waiting: 0, payloads: 0 }, "nothing lies about that belongs to nothing");
  await checkFolders(uploads, documents, session);
  return { accepted: uploads.length, rejected: documents.filter(({ state }) => state === "REJECTED").length };
}

async function readStore(databaseUrl: string) {
  return withClient(databaseUrl, async (client) => {
    const list = async <Row>(text: string) => (await client.query(text, [clientId])).rows as Row[];
    const documents = await list<Document>(
      `select d.token, d.feed_type, d.state, d.object_id, encode(d.body_sha256, 'hex') as body,
         convert_from(d.ack, 'UTF8') as ack,
         array(select f.name from feed_file f where f.client_id = $1 and f.token = d.token) as names
       from feed_document d where d.client_id = $1 and d.channel = 'SFTP'`,
    );
    const orders = await list<{ order_id: string; feed_token: string; lines: number }>(
      `select o.order_id, o.feed_token, count(l.*)::int as lines
       from sales_order o left join sales_order_line l on l.client_id = o.client_id and l.order_id = o.order_id
       where o.client_id = $1 group by o.order_id, o.feed_token`,
    );
    const [strays] = await list<Record<string, number>>(
      `select
         (select count(*) from sftp_upload_chunk c where c.client_id = $1 and not exists
            (select from sftp_upload u where u.client_id = $1 and u.upload_id = c.upload_id))::int as chunks,
         (select count(*) from sftp_upload u where u.client_id = $1 and u.state = 'WAITING')::int as waiting,
         (select count(*) from feed_payload p where p.client_id = $1 and not exists
            (select from feed_document d where d.client_id = $1 and d.token = p.token))::int as payloads`,
    );
    return { documents, orders, strays };
  });
}

/** The folders match the stored documents: each file under its names, with its original size. */
async function checkFolders(
  uploads: readonly Upload[],
  documents: readonly Document[],
  session: SftpSession,
): Promise<void> {
  const archive = await session.sizes("/archive");
  const rejected = await session.sizes("/rejected");
  const acks = await session.sizes("/acks");
  assert.deepEqual(
    [...archive].sort(),
    uploads.map(({ name, bytes }): [string, number] => [name, bytes.length]).sort(),
    "/archive holds each file that was accepted, and nothing else",
  );
  const broken = documents.filter(({ state }) => state === "REJECTED");
  const judgedBroken = new Set(broken.map(({ names, body }) => `${names[0]} ${body}`));
  assert.deepEqual(
    [...rejected].sort(),
    uploads
      .flatMap(({ name, broken: cut }): [string, number][] =>
        cut && judgedBroken.has(keyOf(name, cut.bytes)) ? [[name, cut.bytes.length]] : [],
      )
      .sort(),
    "/rejected holds each file that was closed too early, and nothing else",
  );
  // Listings end at 10 000 names. Each document has a unique name.
  assert.equal(
    acks.size,
    documents.length + uploads.length,
    "/acks holds two ACKs of each accepted file, and one of each rejected one",
  );
  for (const { name, ack } of uploads) assert.equal(acks.get(`${name}.ack.xml`), Buffer.byteLength(ack ?? ""));
}
