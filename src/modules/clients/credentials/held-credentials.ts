import { type Change, platformClient, recordAudit } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import type { OauthSecret } from "#/modules/clients/credentials/credentials.ts";
import { makeClientSecret, secretHash } from "#/modules/clients/domain.ts";
import * as repository from "#/modules/clients/repository.ts";

/** A program's hold on a facility's port: at most one credential of this name is live. */
export interface Hold {
  readonly facilityCode: string;
  /** Longer than a client identifier may be, so that it is never a user name for SFTP. */
  readonly holder: "warehouse-sim";
}

/**
 * Credentials of the warehouse port for a program that stores no secret and gets new ones at each start. The previous
 * credential of this name, even of a killed start, is revoked.
 */
export async function takeHold(
  tx: Transaction,
  change: Change,
  { facilityCode, holder, environment }: Hold & { readonly environment: string },
): Promise<OauthSecret> {
  const username = nameOf({ facilityCode, holder });
  const before = await repository.findLiveUsername(tx, username);
  if (before) await repository.revokeCredential(tx, before.credential_id, change.at);
  const credentialId = change.ids.next(Date.parse(change.at));
  const secret = makeClientSecret();
  const isNew = await repository.insertCredential(tx, {
    credentialId,
    kind: "warehouse",
    facilityCode,
    environment,
    username,
    at: change.at,
    secretSha256: secretHash(secret),
  });
  assert(isNew, `two processes claimed ${username} at the same time`);
  recordAudit(tx.of(platformClient, change), {
    action: "issue",
    objectType: "credential",
    objectId: credentialId,
    detail: { kind: "warehouse", environment, facilityCode, holder },
  });
  return { client_id: credentialId, client_secret: secret };
}

/** True if a live credential holds the facility under this name. */
export async function isHeld(tx: Tx, hold: Hold): Promise<boolean> {
  return (await repository.findLiveUsername(tx, nameOf(hold))) !== undefined;
}

function nameOf({ facilityCode, holder }: Hold): string {
  return `${holder}@${facilityCode}`;
}
