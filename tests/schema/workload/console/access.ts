import * as agentTokens from "#/console-api/access/agent-tokens/repository.ts";
import { findFacilitiesOf } from "#/console-api/access/facility-guard.ts";
import * as factors from "#/console-api/access/factors/factor-repository.ts";
import * as invitations from "#/console-api/access/invitations/invitation-repository.ts";
import * as refusals from "#/console-api/access/refusal-repository.ts";
import * as sessions from "#/console-api/access/sign-in/session-repository.ts";
import { listFacilitiesOf } from "#/console-api/sandbox/repository.ts";
import { type FacilityObject, facilityObjects } from "#/http/access/operator.ts";
import type { Database } from "#/store/db/database.ts";

/** Look-ups for console users who are limited to facilities. */
export async function runConsoleAccess(database: Database, clientId: string): Promise<void> {
  const id = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";
  for (const object of Object.keys(facilityObjects) as FacilityObject[]) {
    await findFacilitiesOf(database.of(clientId), object, id);
  }
  await listFacilitiesOf(database.of(clientId), id);
  const at = "2026-11-20T12:00:00Z";
  for (const userName of ["anna", undefined]) {
    await refusals.countRefusal(database, { userName, reason: "NAME_OR_PASSWORD", at, origin: "192.0.2.17" });
    for (const before of [undefined, { day: "2026-11-20", userName: "anna", reason: "SUSPENDED" }]) {
      await refusals.listRefusals(database, { of: userName, before, limit: 50 });
    }
  }
  await refusals.purgeRefusals(database, at, 100);
  await runInvitations(database, clientId, at);
  await runFactors(database, at);
  await runAgentTokens(database, at);
}

async function runAgentTokens(database: Database, at: string): Promise<void> {
  const sha256 = Buffer.alloc(32, 8);
  const session = { sha256, userName: "anna", accessVersion: 1, at, endsAt: at, origin: "192.0.2.17", factor: null };
  await database.transaction(async (tx) => {
    agentTokens.insertAgentToken(tx, { ...session, name: "Desk", clientId: "DEMO", mayPropose: true });
    await agentTokens.listAgentTokens(tx, "anna", at, 20);
    await agentTokens.deleteAgentToken(tx, "anna", sha256);
  });
}

/** An invitation, from the first link to its end. */
async function runInvitations(database: Database, clientId: string, at: string): Promise<void> {
  const invitationId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b14";
  const tokenSha256 = Buffer.alloc(32, 8);
  const link = { tokenSha256, invitedBy: "anna", at, expiresAt: at };
  await database.transaction(async (tx) => {
    await invitations.insertInvitation(tx, { ...link, invitationId, clientId, address: "dev@brand.example" });
    await invitations.renewInvitation(tx, invitationId, link);
  });
  await invitations.noteMail(database, { tokenSha256, mailedAt: at, mailError: null });
  for (const before of [undefined, invitationId]) await invitations.listInvitations(database, before, 50);
  await invitations.findByToken(database, tokenSha256, at);
  await database.transaction(async (tx) => {
    await invitations.findByToken(tx, tokenSha256, at, true);
    await invitations.findInvitation(tx, invitationId);
    invitations.deleteInvitation(tx, invitationId);
  });
  await invitations.purgeInvitations(database, at, 100);
}

/** Second factors of a user, from the enrolment to the reset, and the session that waits for one. */
async function runFactors(database: Database, at: string): Promise<void> {
  const factorId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";
  const userName = "anna";
  const sha256 = Buffer.alloc(32, 7);
  await database.transaction(async (tx) => {
    await factors.lockFactorsOf(tx, userName);
    factors.insertTotp(tx, { factorId, userName, name: "App", secretSealed: "sealed", step: 1, at });
    factors.replaceRecoveryCodes(tx, userName, [sha256]);
    await factors.lockTotp(tx, userName);
    const passkey = { credentialId: "id", publicKey: Buffer.alloc(8), signCount: 1, transports: ["usb"] };
    await factors.insertPasskey(tx, { ...passkey, factorId: `${factorId.slice(0, -1)}3`, userName, name: "Key", at });
    await factors.lockPasskey(tx, userName, passkey.credentialId);
    factors.notePasskeyUse(tx, factorId, 2, at);
    sessions.setChallenge(tx, sha256, "challenge", at);
    factors.noteWrongCode(tx, factorId);
    factors.noteRightCode(tx, factorId, 2, at);
    factors.forgetWrongCodes(tx, userName);
    sessions.noteProof(tx, sha256, "TOTP", at);
    sessions.deleteOthers(tx, sha256, userName);
  });
  await sessions.takeChallenge(database, sha256, at);
  await factors.listPasskeys(database, userName, 50);
  await factors.renameFactor(database, userName, factorId, "Mine");
  await factors.listFactors(database, userName, 50);
  await factors.countRecoveryCodes(database, userName);
  await factors.useRecoveryCode(database, userName, sha256, at);
  await sessions.findSession(database, sha256, { at, idleSince: at });
  const [sealed] = await factors.sealedFactors.list(database.of(""), "", 100);
  const text = { key: factorId, column: "secret_sealed", before: "sealed", after: "resealed" };
  await database.transaction(async (tx) => {
    await factors.sealedFactors.replace(tx.of(""), "secret_sealed", sealed ? [text] : []);
    factors.deleteFactor(tx, userName, factorId);
    factors.deleteTotp(tx, userName);
    factors.deleteRecoveryCodes(tx, userName);
    await factors.deleteFactors(tx, userName);
  });
}
