import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { servesSftp } from "#/app/roles/sftp.ts";
import { sealedTables } from "#/app/secrets/sealed-tables.ts";
import { type Asked, bad, type Check, type CheckGroup, doubtful, good, timeOf } from "#/cli/doctor/check.ts";
import { type DatabaseFacts, findSigningKey } from "#/cli/doctor/repository.ts";
import { showHostKeys } from "#/intake/sftp/server/host-keys.ts";
import type { Config } from "#/kernel/config/config.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import type { Database } from "#/store/db/database.ts";
import type { SealedText } from "#/store/db/schema/sealed-table.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";

export function keyChecks({ database, config, nowMs }: Asked, facts: DatabaseFacts): CheckGroup[] {
  const groups: CheckGroup[] = [
    { name: "stored secrets", run: async () => [await storedSecretsCheck(database, config)] },
    { name: "signing key", run: async () => [signingKeyCheck(await findSigningKey(database, iso(nowMs)), nowMs)] },
  ];
  if (servesSftp(config))
    groups.push({ name: "SFTP host key", run: async () => [await hostKeyCheck(database, facts.has_host_keys)] });
  return groups;
}

const iso = (atMs: number) => new Date(atMs).toISOString();

/** Whether the master key opens the stored secrets: tries a few of each kind. */
async function storedSecretsCheck(database: Database, config: Config): Promise<Check> {
  const name = "stored secrets";
  const texts = await sampleTexts(database);
  if (texts.length === 0) return good(name, "none yet");
  const secret = masterKeyThatIs(config);
  if (secret === undefined) {
    return bad(name, "exist, and no master key", "set CROSSDOCK_SECRET to the key with which they are encrypted");
  }
  const box = createSecretBox(secret, config.secretPrevious);
  const closed = texts.filter(({ sealed, context }) => box.open(sealed, context) === undefined);
  if (closed.length > 0) {
    const tables = [...new Set(closed.map(({ table }) => table))].join(", ");
    return bad(
      name,
      `the master key does not decrypt ${closed.length} of ${texts.length} samples (${tables})`,
      "set CROSSDOCK_SECRET to the key with which they are encrypted, or set that key as CROSSDOCK_SECRET_PREVIOUS",
    );
  }
  const old = texts.filter(({ sealed }) => !box.isCurrent(sealed)).length;
  return old === 0
    ? good(name, `the master key decrypts all ${texts.length} samples`)
    : doubtful(
        name,
        `${old} of ${texts.length} samples are encrypted with CROSSDOCK_SECRET_PREVIOUS`,
        "run 'crossdock secret rotate'; then remove CROSSDOCK_SECRET_PREVIOUS",
      );
}

const rowsMax = 5;
const clientsMax = 50;

/** A few rows of each table; for tables of clients, the rows of some clients. */
async function sampleTexts(database: Database): Promise<(SealedText & { readonly table: string })[]> {
  const clientIds = (await listTenants(database)).slice(0, clientsMax);
  const texts: (SealedText & { readonly table: string })[] = [];
  for (const { table, isOfClients, list } of sealedTables) {
    for (const clientId of isOfClients ? clientIds : [""]) {
      const rows = await list(database.of(clientId), "", rowsMax);
      texts.push(...rows.flatMap((row) => row.texts.map((text) => ({ ...text, table }))));
    }
  }
  return texts;
}

/** The server's master key; unlike the server, the doctor creates none. */
function masterKeyThatIs({ secret, dataDir }: Config): string | undefined {
  if (secret !== undefined) return secret;
  const file = path.join(dataDir, "secret");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

type SigningKey = Awaited<ReturnType<typeof findSigningKey>>;

const daySeconds = 86_400;
/** A key signs for thirty days, and the worker creates the next one before it expires. */
const signsSecondsWarn = daySeconds / 2;

export function signingKeyCheck(key: SigningKey, nowMs: number): Check {
  const name = "signing key";
  if (key === undefined) return good(name, "is created when the first access token is requested");
  const age = (nowMs - Date.parse(key.created_at)) / 1000;
  const left = (Date.parse(key.retires_at) - nowMs) / 1000;
  const text = `${key.key_id.slice(0, 8)} is ${timeOf(age)} old and signs for another ${timeOf(left)}`;
  return left < signsSecondsWarn
    ? doubtful(name, text, "the next key is missing: check that a process with the role worker runs")
    : good(name, text);
}

/** The fingerprints that an operator gives to clients, which they compare at their first connection. */
async function hostKeyCheck(database: Database, hasHostKeys: boolean): Promise<Check> {
  const keys = hasHostKeys ? await showHostKeys(database) : [];
  const shown = keys.map(({ algorithm, fingerprint }) => `${fingerprint} (${algorithm})`);
  return good("SFTP host key", shown.length > 0 ? shown.join(", ") : "is created at the first start of SFTP");
}
