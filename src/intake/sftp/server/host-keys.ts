import { createHash } from "node:crypto";
import { promisify } from "node:util";
import ssh2 from "ssh2";
import {
  insertHostKey,
  listHostKeys,
  replaceSealedHostKeys,
  type StoredHostKey,
} from "#/intake/sftp/server/access-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import type { SealedRow, SealedTable } from "#/store/db/schema/sealed-table.ts";

/** A key by which clients recognize the server. */
export interface HostKey extends Pick<StoredHostKey, "algorithm" | "publicKey"> {
  /** `SHA256:…`, as OpenSSH shows it on the first connection. */
  readonly fingerprint: string;
  readonly privateKey: string;
}

export interface HostKeysContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

const { generateKeyPair, parseKey } = ssh2.utils;
const rsaBits = 3_072;

interface KeyPair {
  readonly public: string;
  readonly private: string;
}

type Making = (done: (fault: Error | null, pair: KeyPair) => void) => void;

/** In the order in which clients are offered them. */
const makings: readonly (readonly [algorithm: string, make: Making])[] = [
  ["ssh-ed25519", (done) => generateKeyPair("ed25519", done)],
  ["ssh-rsa", (done) => generateKeyPair("rsa", { bits: rsaBits }, done)],
];

/**
 * The server's keys, stored in the database. The first node to start creates them, so that they are the same on all
 * nodes and stay so. Throws where the master key does not open them: other keys alarm every client.
 */
export async function openHostKeys({ database, clock, secretBox }: HostKeysContext): Promise<readonly HostKey[]> {
  const known = new Set((await listHostKeys(database)).map(({ algorithm }) => algorithm));
  for (const [algorithm, make] of makings) {
    if (known.has(algorithm)) continue;
    const pair = await makeKeyPair(make);
    const key = {
      algorithm,
      publicKey: pair.public.trim().split(" ").slice(0, 2).join(" "),
      privateKeySealed: secretBox.seal(pair.private, contextOf(algorithm)),
    };
    await insertHostKey(database, key, clock.now());
  }
  const rows = new Map((await listHostKeys(database)).map((row) => [row.algorithm, row]));
  return makings.map(([algorithm]) => {
    const row = rows.get(algorithm);
    if (row === undefined) throw new Error(`the SFTP host key ${algorithm} was created, and does not exist`);
    return opened(row, secretBox);
  });
}

const makingsMax = 20;

/**
 * ssh2 drops a leading zero byte of an Ed25519 key, and cannot read such a key: one of 256. In that case another key
 * is made.
 */
export async function makeKeyPair(make: Making): Promise<KeyPair> {
  for (let making = 1; ; making++) {
    const pair = await promisify(make)();
    const parsed = parseKey(pair.private);
    if (!(parsed instanceof Error)) return pair;
    if (making === makingsMax) throw new Error("no readable host key could be created", { cause: parsed });
  }
}

/** The fingerprints of the existing keys, in the order in which clients are offered them; creates none. */
export async function showHostKeys(database: Database): Promise<readonly Pick<HostKey, "algorithm" | "fingerprint">[]> {
  const rows = await listHostKeys(database);
  const shown = makings.flatMap(([algorithm]) => rows.filter((row) => row.algorithm === algorithm));
  return shown.map(({ algorithm, publicKey }) => ({ algorithm, fingerprint: fingerprintOf(publicKey) }));
}

function opened({ algorithm, publicKey, privateKeySealed }: StoredHostKey, secretBox: SecretBox): HostKey {
  const privateKey = secretBox.open(privateKeySealed, contextOf(algorithm));
  if (privateKey === undefined) {
    throw new Error(
      `the SFTP host key ${algorithm} cannot be decrypted: CROSSDOCK_SECRET is not the master key with which it was encrypted`,
    );
  }
  const key = parseKey(privateKey);
  if (key instanceof Error) throw new Error(`the SFTP host key ${algorithm} cannot be read`, { cause: key });
  return { algorithm, publicKey, fingerprint: fingerprintOf(publicKey), privateKey };
}

/** @param publicKey `type base64`. */
function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

function contextOf(algorithm: string): string {
  return `sftp_host_key ${algorithm}`;
}

const sealedColumn = "private_key_sealed";

/** The parts of the host keys that are sealed under the master key. There is one for each algorithm. */
export const sealedHostKeys: SealedTable = {
  table: "sftp_host_key",
  columns: [sealedColumn],
  isOfClients: false,
  list: async (tx, after) => (after === "" ? sealedRows(tx.plain) : []),
  replace: (tx, _column, texts) => replaceSealedHostKeys(tx.plain, texts),
};

async function sealedRows(tx: Tx): Promise<SealedRow[]> {
  return (await listHostKeys(tx)).map(({ algorithm, privateKeySealed: sealed }) => ({
    key: algorithm,
    texts: [{ column: sealedColumn, sealed, context: contextOf(algorithm) }],
  }));
}
