import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { isPasswordOf } from "#/kernel/security/password.ts";
import { createIds } from "#/kernel/values/ids.ts";
import {
  createSftpLogIns,
  issueCredential,
  onboardClient,
  resumeClient,
  revokeCredential,
  suspendClient,
} from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const change: Change = { actor: "cli:test", origin: "here", at: new Date().toISOString(), ids: createIds() };
const environment = "sandbox";
const logIns = createSftpLogIns(database, environment);

const facility = { facilityCode: "DC1", name: "Nord", country: "DE", timezone: "Europe/Berlin" };
await database.transaction((tx) => createFacility(tx, change, facility));
const client = { clientId: "ACME", name: "Acme", facilities: ["DC1"], environment };
const onboarded = await database.transaction((tx) => onboardClient(tx, change, client));
assert(onboarded.ok);
const { sftp } = onboarded.value;

/** A new OpenSSH public key (RFC 8709 §4). */
function makePublicKey(): string {
  const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const parts = [Buffer.from("ssh-ed25519"), Buffer.from(x as string, "base64url")].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return `ssh-ed25519 ${Buffer.concat(parts).toString("base64")}`;
}

test("a valid credential is found by its user name, with its password hash or key", async () => {
  const byPassword = await logIns.find(sftp.username);
  assert.partialDeepStrictEqual(byPassword, { clientId: "ACME", publicKey: null, isSuspended: false });
  assert.equal(await isPasswordOf(sftp.password as string, byPassword?.passwordHash ?? ""), true);
  const publicKey = makePublicKey();
  const request = { clientId: "ACME", kind: "sftp", environment, publicKey: `${publicKey} anna@example.com` } as const;
  const issued = await database.transaction((tx) => issueCredential(tx, change, request));
  assert(issued.ok && "sftp" in issued.value);
  assert.partialDeepStrictEqual(await logIns.find(issued.value.sftp.username), {
    credentialId: issued.value.credentialId,
    passwordHash: null,
    publicKey,
  });
});

test("no one is found by another name, in another environment, or by a name that no text can be", async () => {
  for (const username of ["nobody", "ACME", "", "a\0b", "warehouse-sim@DC1"]) {
    assert.equal(await logIns.find(username), undefined, username);
  }
  assert.equal(await createSftpLogIns(database, "production").find(sftp.username), undefined);
});

test("a suspended client is found as suspended; its credentials and revoked ones are invalid", async () => {
  const { credentialId } = (await logIns.find(sftp.username)) ?? assert.fail();
  const request = { clientId: "ACME", kind: "sftp", environment } as const;
  const second = await database.transaction((tx) => issueCredential(tx, change, request));
  assert(second.ok && "sftp" in second.value);
  const both = [credentialId, second.value.credentialId];
  assert.deepEqual((await logIns.listGood([...both, "none"])).toSorted(), both.toSorted());
  await database.transaction((tx) => suspendClient(tx.of("ACME", change)));
  assert.equal((await logIns.find(sftp.username))?.isSuspended, true);
  assert.deepEqual(await logIns.listGood(both), []);
  await database.transaction((tx) => resumeClient(tx.of("ACME", change)));
  await database.transaction((tx) => revokeCredential(tx, change, credentialId));
  assert.equal(await logIns.find(sftp.username), undefined);
  assert.deepEqual(await logIns.listGood(both), [second.value.credentialId]);
});
