import { createHash, randomBytes } from "node:crypto";
import type { Invitation } from "#/console-api/access/invitations/contract.ts";
import { sendLink } from "#/console-api/access/invitations/invitation-mail.ts";
import * as repository from "#/console-api/access/invitations/invitation-repository.ts";
import { faultOfClientNames, faultOfPassword } from "#/console-api/access/passwords.ts";
import { badField } from "#/console-api/access/sign-in/session-routes.ts";
import { insertUser } from "#/console-api/access/user-repository.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { isAddress } from "#/delivery/mail/index.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { hashPassword } from "#/kernel/security/password.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { showClient } from "#/modules/clients/index.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";

/** How long a link is valid. */
const linkMsMax = 3 * dayMs;
const tokenBytes = 32;

export interface SentInvitation {
  readonly invitation: Invitation;
  /** Null where the link is in a mail that a server accepted. */
  readonly link: string | null;
}

type Refused = Result<never, Problem>;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

function newLink(change: Change, invitedBy: string): { readonly token: string; readonly link: repository.Link } {
  const token = randomBytes(tokenBytes).toString("base64url");
  const expiresAt = new Date(Date.parse(change.at) + linkMsMax).toISOString();
  return { token, link: { tokenSha256: hashOf(token), invitedBy, at: change.at, expiresAt } };
}

/** Invites a developer of a client, and sends the link. */
export async function invite(
  context: OperatorContext,
  change: Change,
  { clientId, address, invitedBy }: Pick<Invitation, "clientId" | "address" | "invitedBy">,
): Promise<Result<SentInvitation, Problem>> {
  const client = await showClient(context.database.of(clientId));
  if (!client.ok) return refused(badField("clientId", `'${clientId}' does not exist`));
  if (!isAddress(address)) return refused(badField("address", "is not an e-mail address such as dev@brand.example"));
  const invitationId = change.ids.next(Date.parse(change.at));
  const { token, link } = newLink(change, invitedBy);
  const isNew = await context.database.transaction(async (tx) => {
    const row = { invitationId, clientId, address, ...link };
    if (!(await repository.insertInvitation(tx, row))) return false;
    audit(tx, change, "invite", { invitationId, clientId });
    return true;
  });
  if (!isNew) {
    return refused(problem("conflict", `The address has an invitation of ${clientId} already: send that one again.`));
  }
  const { at: invitedAt, expiresAt } = link;
  const none = { mailedAt: null, mailError: null };
  const invitation = { invitationId, clientId, address, invitedBy, invitedAt, expiresAt, ...none };
  return ok(await send(context, change, { invitation, clientName: client.value.name, token }));
}

/** Sends another link, which replaces the old one. */
export async function inviteAgain(
  context: OperatorContext,
  change: Change,
  { invitationId, invitedBy }: Pick<Invitation, "invitationId" | "invitedBy">,
): Promise<Result<SentInvitation, Problem>> {
  const { token, link } = newLink(change, invitedBy);
  const invitation = await context.database.transaction(async (tx) => {
    const renewed = await repository.renewInvitation(tx, invitationId, link);
    if (renewed) audit(tx, change, "resend", renewed);
    return renewed;
  });
  if (!invitation) return unknownInvitation;
  const clientName = await nameOf(context, invitation.clientId);
  return ok(await send(context, change, { invitation, clientName, token }));
}

async function nameOf({ database }: Pick<OperatorContext, "database">, clientId: string): Promise<string> {
  const client = await showClient(database.of(clientId));
  return client.ok ? client.value.name : clientId;
}

async function send(
  { database, mail, consoleUrl, log }: OperatorContext,
  change: Change,
  {
    invitation,
    clientName,
    token,
  }: { readonly invitation: Invitation; readonly clientName: string; readonly token: string },
): Promise<SentInvitation> {
  const link = `${consoleUrl()}/console/invitation#${token}`;
  const { smtpUrl } = mail;
  if (smtpUrl === undefined) return { invitation, link };
  const mailId = change.ids.next(Date.parse(change.at));
  const mailError = await sendLink({ ...mail, smtpUrl }, { mailId, invitation, clientName, link });
  // The answer of the server may contain the address.
  if (mailError !== null) log.warn({ invitationId: invitation.invitationId }, "an invitation was not mailed");
  const noted = { mailedAt: mailError === null ? change.at : null, mailError };
  await repository.noteMail(database, { tokenSha256: hashOf(token), ...noted });
  return { invitation: { ...invitation, ...noted }, link: mailError === null ? null : link };
}

/** The link is no longer valid. */
export async function withdraw(tx: Transaction, change: Change, invitationId: string): Promise<Result<null, Problem>> {
  const found = await repository.findInvitation(tx, invitationId);
  if (!found) return unknownInvitation;
  repository.deleteInvitation(tx, invitationId);
  audit(tx, change, "withdraw", found);
  return ok(null);
}

interface Acceptance {
  readonly token: string;
  readonly userName: string;
  readonly password: string;
}

export async function openInvitation(
  { database }: OperatorContext,
  token: string,
  at: string,
): Promise<Result<Invitation & { readonly clientName: string }, Problem>> {
  const found = await repository.findByToken(database, hashOf(token), at);
  if (!found) return invalidLink;
  return ok({ ...found, clientName: await nameOf({ database }, found.clientId) });
}

/** Creates the user of an invitation and deletes the invitation. @param change of `anonymous`: the link is the proof. */
export async function accept(
  context: OperatorContext,
  change: Change,
  { token, userName, password }: Acceptance,
): Promise<Result<Pick<Invitation, "clientId"> & { readonly userName: string }, Problem>> {
  const opened = await openInvitation(context, token, change.at);
  if (!opened.ok) return opened;
  const { clientId, clientName } = opened.value;
  const fault = faultOfPassword(password, userName) ?? faultOfClientNames(password, [clientId, clientName]);
  if (fault !== undefined) return refused(badField("password", fault));
  const passwordHash = await hashPassword(password);
  return context.database.transaction(async (tx) => {
    const invitation = await repository.findByToken(tx, hashOf(token), change.at, true);
    if (!invitation) return invalidLink;
    const access = { role: "developer", clientIds: [clientId], facilityCodes: null } as const;
    if (!(await insertUser(tx, { userName, passwordHash, at: change.at, ...access }))) {
      return refused(badField("userName", `'${userName}' is taken; choose another one`));
    }
    repository.deleteInvitation(tx, invitation.invitationId);
    const { invitationId, invitedBy } = invitation;
    recordAudit(tx.of(platformClient, { ...change, actor: `user:${userName}` }), {
      action: "create",
      objectType: "user",
      objectId: userName,
      detail: { role: access.role, clientIds: access.clientIds, invitationId, invitedBy },
    });
    return ok({ userName, clientId });
  });
}

/** Without the address: the audit log has no e-mail addresses (contract operations.md §5). */
function audit(
  tx: Transaction,
  change: Change,
  action: "invite" | "resend" | "withdraw",
  { invitationId, clientId }: Pick<Invitation, "invitationId" | "clientId">,
): void {
  const entry = { action, objectType: "invitation", objectId: invitationId, detail: { role: "developer", clientId } };
  recordAudit(tx.of(platformClient, change), entry);
}

const unknownInvitation: Refused = refused(
  problem("not-found", "There is no such invitation: it was accepted, withdrawn or deleted."),
);

const invalidLink: Refused = refused(
  problem(
    "not-found",
    "The link is not valid: it was used, withdrawn, replaced by a newer one, or has expired. Ask for another one.",
  ),
);
