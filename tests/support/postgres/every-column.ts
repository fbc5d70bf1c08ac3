// Searches the whole store: every column that can hold text, of every table in the catalogue.
import { zstdDecompressSync } from "node:zlib";
import { unpackBytes, unpackJson } from "#/store/packed/packed.ts";
import type { TestServer } from "../app/server.ts";

export interface TextColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

type Store = Pick<TestServer, "rows">;

const asJson = new Set(["json", "jsonb"]);

/** Partitions are read through their parent table. */
export function textColumns({ rows }: Store): Promise<TextColumn[]> {
  return rows<TextColumn>(
    `select c.relname as table, a.attname as column, t.typname as type
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
       join pg_type t on t.oid = a.atttypid
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
       and not a.attisdropped and t.typname in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text')
     order by 1, 2 limit 10000`,
  );
}

/** Columns with a matching text, as `table.column`, with the number of rows of each. */
export async function columnsMatching(store: Store, pattern: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { table, column, type } of await textColumns(store)) {
    if (type === "bytea") continue;
    const [row] = await store.rows<{ count: number }>(
      `select count(*)::integer as count from "${table}" where "${column}"::text ~ $1`,
      pattern,
    );
    if (row && row.count > 0) found.set(`${table}.${column}`, row.count);
  }
  return found;
}

/**
 * Columns that contain one of these words, as `table.column: word`. Bytes are decompressed if necessary and read as
 * UTF-8.
 */
export async function placesOf(store: Store, words: readonly string[]): Promise<string[]> {
  const places = new Set<string>();
  for (const { table, column, type } of await textColumns(store)) {
    for (const text of await textsOf(store, { table, column, type })) {
      // JSON may contain escaped characters.
      const read = asJson.has(type) ? JSON.stringify(unpackedIn(JSON.parse(text))) : text;
      for (const word of words) if (read.includes(word)) places.add(`${table}.${column}: ${word}`);
    }
  }
  return [...places].sort();
}

/** A packed content is a string of base64, or the field `packed` of an object. */
function unpackedIn(value: unknown): unknown {
  if (value !== null && typeof value === "object" && "packed" in value) return unpackedIn(value.packed);
  if (typeof value !== "string") return value;
  try {
    return unpackJson(value);
  } catch {
    return value;
  }
}

/** Digests and keys may begin as packed contents do. */
function unpackedBytes(bytes: Buffer): Buffer {
  try {
    return unpackBytes(bytes);
  } catch {
    return bytes;
  }
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function textsOf(store: Store, { table, column, type }: TextColumn): Promise<string[]> {
  if (type !== "bytea") {
    const rows = await store.rows<{ text: string }>(
      `select "${column}"::text as text from "${table}" where "${column}" is not null limit 100000`,
    );
    return rows.map(({ text }) => text);
  }
  const rows = await store.rows<{ bytes: Buffer }>(
    `select "${column}" as bytes from "${table}" where "${column}" is not null limit 100000`,
  );
  return rows.map(({ bytes }) =>
    (bytes.subarray(0, 4).equals(zstdMagic) ? zstdDecompressSync(bytes) : unpackedBytes(bytes)).toString("utf8"),
  );
}
