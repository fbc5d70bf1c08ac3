import { servesSftp } from "#/app/roles/sftp.ts";
import { findMasterKey } from "#/app/secrets/master-key.ts";
import { sampleSealed } from "#/app/secrets/open-secret-box.ts";
import { type Asked, bad, type Check, type CheckGroup, doubtful, good, rated, timeOf } from "#/cli/doctor/check.ts";
import type { DatabaseFacts } from "#/cli/doctor/repository.ts";
import { showHostKeys } from "#/intake/sftp/server/host-keys.ts";
import type { Config } from "#/kernel/config/config.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { listSigningKeys, type StoredSigningKey } from "#/modules/clients/oauth/key-repository.ts";
import type { Database } from "#/store/db/database.ts";
import type { SealedText } from "#/store/db/schema/sealed-table.ts";

export function keyChecks({ database, config, nowMs }: Asked, facts: DatabaseFacts): CheckGroup[] {
  const groups: CheckGroup[] = [
    { name: "stored secrets", run: async () => [await storedSecretsCheck(database, config)] },
    { name: "signing key", run: async () => [signingKeyCheck(await listSigningKeys(database, iso(nowMs)), nowMs)] },
  ];
  if (servesSftp(config))
    groups.push({ name: "SFTP host key", run: async () => [await hostKeyCheck(database, facts.has_host_keys)] });
  return groups;
}

const iso = (atMs: number) => new Date(atMs).toISOString();

/** Whether the master key opens the stored secrets: tries a few of each kind. */
async function storedSecretsCheck(database: Database, config: Config): Promise<Check> {
  const name = "stored secrets";
  const texts: (SealedText & { readonly table: string })[] = [];
  for await (const { table, texts: sealed } of sampleSealed(database)) {
    texts.push(...sealed.map((text) => ({ ...text, table })));
  }
  if (texts.length === 0) return good(name, "none yet");
  const secret = findMasterKey(config);
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
  if (old === 0) return good(name, `the master key decrypts all ${texts.length} samples`);
  return doubtful(
    name,
    `${old} of ${texts.length} samples are encrypted with CROSSDOCK_SECRET_PREVIOUS`,
    "run 'crossdock secret rotate'; then remove CROSSDOCK_SECRET_PREVIOUS",
  );
}

const daySeconds = 86_400;
/** A key signs for thirty days, and the worker creates the next one before it expires. */
const signsSecondsWarn = daySeconds / 2;

/** @param keys newest first */
export function signingKeyCheck(
  [key]: readonly Pick<StoredSigningKey, "keyId" | "createdAt" | "retiresAt">[],
  nowMs: number,
): Check {
  const name = "signing key";
  if (key === undefined) return good(name, "is created when the first access token is requested");
  const age = (nowMs - Date.parse(key.createdAt)) / 1000;
  const left = (Date.parse(key.retiresAt) - nowMs) / 1000;
  const text = `${key.keyId.slice(0, 8)} is ${timeOf(age)} old and signs for another ${timeOf(left)}`;
  const advice = "the next key is missing: check that a process with the role worker runs";
  return rated(name, text, advice, { warn: left < signsSecondsWarn });
}

/** The fingerprints that an operator gives to clients, which they compare at their first connection. */
async function hostKeyCheck(database: Database, hasHostKeys: boolean): Promise<Check> {
  const keys = hasHostKeys ? await showHostKeys(database) : [];
  const shown = keys.map(({ algorithm, fingerprint }) => `${fingerprint} (${algorithm})`);
  return good("SFTP host key", shown.length > 0 ? shown.join(", ") : "is created at the first start of SFTP");
}
