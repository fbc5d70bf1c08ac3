import { existsSync } from "node:fs";
import path from "node:path";
import { masterKeyOf } from "#/app/secrets/master-key.ts";
import { sealedTables } from "#/app/secrets/sealed-tables.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { createSecretBox, type SecretBox } from "#/kernel/security/secret-box.ts";
import type { Database } from "#/store/db/database.ts";
import type { SealedRow } from "#/store/db/schema/sealed-table.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";

/** Roles that encrypt or decrypt secrets. */
const rolesWithSecrets: readonly RoleName[] = ["api", "auth", "console", "worker", "sftp"];

export function needsMasterKey(roles: ReadonlySet<RoleName>): boolean {
  return rolesWithSecrets.some((role) => roles.has(role));
}

const rowsMax = 5;
const clientsMax = 50;

/** A few sealed rows of each table; of tables of clients, those of some clients. */
export async function* sampleSealed(database: Database): AsyncGenerator<SealedRow & { readonly table: string }> {
  const clientIds = (await listTenants(database)).slice(0, clientsMax);
  for (const { table, isOfClients, list } of sealedTables) {
    for (const clientId of isOfClients ? clientIds : [""]) {
      for (const row of await list(database.of(clientId), "", rowsMax)) yield { table, ...row };
    }
  }
}

/**
 * The secret box of the configured master keys.
 *
 * @throws if sealed secrets exist and neither key opens any of them (contract operations.md §3). Secrets sealed by such
 * a process are unreadable for the others, and it cannot use the existing ones.
 */
export async function openSecretBox(config: Config, database: Database): Promise<SecretBox> {
  const box = createSecretBox(masterKeyOf(config), config.secretPrevious);
  const places: string[] = [];
  for await (const { table, key, texts } of sampleSealed(database)) {
    if (texts.some(({ sealed, context }) => box.open(sealed, context) !== undefined)) return box;
    places.push(`${table} ${key}`);
  }
  if (places.length === 0) return box;
  const kept = path.join(config.dataDir, "secret");
  const hint =
    config.secret !== undefined && existsSync(kept)
      ? ` The key that was generated for this data directory is in ${kept}: set CROSSDOCK_SECRET_PREVIOUS_FILE=${kept} to use both.`
      : "";
  throw new Error(
    `CROSSDOCK_SECRET decrypts none of the secrets in this database (${places.slice(0, 3).join(", ")}): it is not the master key with which they were encrypted. Set the previous key as CROSSDOCK_SECRET, or as CROSSDOCK_SECRET_PREVIOUS together with a new one.${hint}`,
  );
}
