import { notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type ClientProfile, isClientId } from "#/modules/clients/domain.ts";
import * as repository from "#/modules/clients/repository.ts";
import {
  type ClientSettings,
  clientSettings,
  resolveSettings,
  type SettingChanges,
  type SettingName,
  type StoredSettings,
} from "#/modules/clients/settings.ts";
import { refusalOfFacilities, refusalOfPools } from "#/modules/clients/uses.ts";
import { type Change, recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, Transaction, Tx, UnitOfWork } from "#/store/db/database.ts";

/** A client for operators. */
export interface ClientRecord extends ClientProfile {
  /** The settings that differ from their defaults. */
  readonly overrides: StoredSettings;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewClient {
  readonly clientId: string;
  readonly name: string;
  /** Codes of existing facilities, in routing order. */
  readonly facilities: readonly string[];
}

const nameLengthMax = 255;

/** Creates a client, with its rows in the distributed tables. Refused if the identifier is invalid or taken. */
export async function createClient(
  tx: Transaction,
  change: Change,
  { clientId, name, facilities }: NewClient,
): Promise<Result<string, string>> {
  const view = tx.of(clientId, change);
  if (!isClientId(clientId)) {
    return refused(`'${clientId}' is not a valid client identifier: use 1 to 10 letters, digits, '_' or '-'`);
  }
  const nameFault = checkName(name);
  if (nameFault !== undefined) return refused(nameFault);
  if (!(await repository.insertClient(tx, { clientId, name: name.trim(), at: change.at }))) {
    const spelling = (await repository.findSpelling(view)) ?? clientId;
    const how = spelling === clientId ? "" : ` as '${spelling}': identifiers do not differ by case alone`;
    return refused(`client '${clientId}' exists already${how}`);
  }
  repository.insertTenant(view);
  repository.replaceFacilities(view, facilities, change.at);
  recordAudit(view, {
    action: "create",
    objectType: "client",
    objectId: clientId,
    detail: { facilities },
  });
  return ok(clientId);
}

function checkName(name: string): string | undefined {
  const length = name.trim().length;
  return length >= 1 && length <= nameLengthMax ? undefined : `a client's name has 1 to ${nameLengthMax} characters`;
}

interface ClientChanges {
  readonly name?: string | undefined;
  /** Codes of existing facilities, in routing order; they replace the previous ones. */
  readonly facilities?: readonly string[] | undefined;
  readonly settings?: SettingChanges | undefined;
}

/**
 * Changes a client's settings, name or facilities. Refused for an unknown client or an invalid name, and while the client
 * has open work or stock at a facility, or stock in a pool, that the change takes away.
 */
export async function changeClient(
  tx: UnitOfWork,
  { name, facilities, settings }: ClientChanges,
): Promise<Result<ClientRecord, Refusal>> {
  const nameFault = name === undefined ? undefined : checkName(name);
  if (nameFault !== undefined) return refused(unprocessable(nameFault));
  // A document of a facility that goes waits for the change, and is checked again; the count sees those before it.
  if (facilities !== undefined) await repository.lockTenant(tx);
  const before = await showClient(tx);
  if (!before.ok) return refused(notFound(before.fault));
  const inUse =
    (facilities && (await refusalOfFacilities(tx.plain, before.value, facilities))) ??
    (settings && (await refusalOfPools(tx, before.value.settings, settingsAfter(before.value, settings))));
  if (inUse) return refused(inUse);
  if (name !== undefined) repository.updateName(tx, name.trim(), tx.change.at);
  if (facilities !== undefined) repository.replaceFacilities(tx, facilities, tx.change.at);
  if (settings !== undefined) {
    repository.updateSettings(tx, { ...settings, at: tx.change.at });
  }
  recordAudit(tx, {
    action: "set",
    objectType: "client",
    objectId: tx.clientId,
    detail: {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(facilities === undefined ? {} : { facilities }),
      ...(settings === undefined ? {} : { settings: auditedSettings(settings) }),
    },
  });
  const after = await showClient(tx);
  return after.ok ? after : refused(notFound(after.fault));
}

function settingsAfter({ overrides }: ClientRecord, changes: SettingChanges): ClientSettings {
  const kept = Object.entries({ ...overrides, ...changes.overrides });
  return resolveSettings(Object.fromEntries(kept.filter(([name]) => !changes.cleared.includes(name as SettingName))));
}

function auditedSettings({ overrides, cleared }: SettingChanges): Record<string, unknown> {
  const changed = Object.entries(overrides).map(([name, value]) => [
    name,
    clientSettings[name as SettingName].isPersonal ? "changed" : value,
  ]);
  return Object.fromEntries([...changed, ...cleared.map((name) => [name, "default"])]);
}

/** Feeds, REST and log-ins are refused from now on; accepted work and outbound feeds continue. */
export function suspendClient(tx: UnitOfWork): Promise<Result<ClientRecord, string>> {
  return setStatus(tx, "SUSPENDED", "suspend");
}

export function resumeClient(tx: UnitOfWork): Promise<Result<ClientRecord, string>> {
  return setStatus(tx, "ACTIVE", "resume");
}

async function setStatus(
  tx: UnitOfWork,
  status: ClientProfile["status"],
  action: string,
): Promise<Result<ClientRecord, string>> {
  if (await repository.updateStatus(tx, status, tx.change.at)) {
    recordAudit(tx, { action, objectType: "client", objectId: tx.clientId });
  }
  return showClient(tx);
}

const clientsPage = 1_000;

/** All clients, by identifier, read page by page, so that loops over clients are complete. */
export async function listClients(tx: Tx): Promise<readonly ClientRecord[]> {
  const clients: ClientRecord[] = [];
  for (let after = ""; ; ) {
    const page = await repository.pageClients(tx, { after, limit: clientsPage });
    clients.push(...page.map(recordOf));
    const last = page.at(-1);
    if (last === undefined || page.length < clientsPage) return clients;
    after = last.clientId;
  }
}

/** A page of clients, by identifier; all, or those that match the filters. */
export async function listClientPage(tx: Tx, page: repository.ClientPageRequest): Promise<readonly ClientRecord[]> {
  return (await repository.pageClients(tx, page)).map(recordOf);
}

export async function showClient(tx: ClientTx): Promise<Result<ClientRecord, string>> {
  const row = await repository.findClient(tx);
  return row ? ok(recordOf(row)) : refused(await unknownClient(tx));
}

/** For documents that name no client: it has no facilities, and its settings are the defaults. */
export function profileWithoutClient(): ClientProfile {
  return { clientId: "", name: "", status: "ACTIVE", facilities: [], settings: resolveSettings({}) };
}

/** The message about an unknown client. */
export async function unknownClient(tx: ClientTx): Promise<string> {
  const spelling = await repository.findSpelling(tx);
  return `there is no client '${tx.clientId}'${spelling === undefined ? "" : `; did you mean ${spelling}?`}`;
}

function recordOf(row: repository.StoredClient): ClientRecord {
  const { createdAt, updatedAt, settings } = row;
  return { ...profileOf(row), overrides: settings, createdAt, updatedAt };
}

export function profileOf({ createdAt, updatedAt, ...client }: repository.StoredClient): ClientProfile {
  return { ...client, settings: resolveSettings(client.settings) };
}
