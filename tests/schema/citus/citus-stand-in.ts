import { readFileSync } from "node:fs";
import pg from "pg";

const functions = readFileSync(new URL("./citus-stand-in.sql", import.meta.url), "utf8");

/** Installs fake Citus functions in a plain PostgreSQL database. New sessions find them. */
export async function standInForCitus(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(functions);
    await client.query(`alter database "${new URL(url).pathname.slice(1)}" set search_path = public, citus`);
  } finally {
    await client.end();
  }
}
