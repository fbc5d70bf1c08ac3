import type { ClientDetail } from "#/console-api/clients/client-contract.ts";
import { type SettingRecord, settingRecord } from "#/console-api/clients/setting-record.ts";
import { findCertificate } from "#/delivery/certificate/index.ts";
import { ok, type Result } from "#/kernel/result.ts";
import {
  type ClientRecord,
  type CredentialRecord,
  clientSettings,
  type IssuedCredential,
  listCredentials,
  type Onboarding,
  operatorSettings,
  type SettingName,
  settingText,
  settingWords,
  showClient,
} from "#/modules/clients/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** @param facilityCodes of the user: only these of the client's facilities are shown; null: all. */
export function summaryOf(client: ClientRecord, facilityCodes: readonly string[] | null) {
  const { clientId, name, status, createdAt, updatedAt } = client;
  const facilities = client.facilities.filter((code) => facilityCodes === null || facilityCodes.includes(code));
  return { clientId, name, status, facilities, createdAt, updatedAt };
}

/** A client with all its shown data; refused with a sentence where there is none. */
export async function readClientDetail(tx: ClientTx): Promise<Result<ClientDetail, string>> {
  const client = await showClient(tx);
  if (!client.ok) return client;
  const [credentials, certificate] = await Promise.all([listCredentials(tx), findCertificate(tx)]);
  if (!credentials.ok) return credentials;
  return ok({
    ...summaryOf(client.value, null),
    settings: settingRecords(client.value),
    credentials: credentials.value.map(credentialRecord),
    certificate: certificate ? { issuedAt: certificate.issuedAt, isComplete: certificate.isComplete } : null,
  });
}

function settingRecords({ settings, overrides }: ClientRecord): SettingRecord[] {
  return (Object.keys(settingWords) as SettingName[]).map((name) =>
    settingRecord(
      {
        name,
        value: settingText(name, settings[name]),
        isSet: Object.hasOwn(overrides, name),
        isPlatform: operatorSettings.has(name),
      },
      clientSettings[name],
      settingWords[name],
    ),
  );
}

export function credentialRecord(record: CredentialRecord) {
  const { credentialId, kind, environment, username, hasPublicKey, createdAt, lastUsedAt, revokedAt } = record;
  return { credentialId, kind, environment, username, hasPublicKey, createdAt, lastUsedAt, revokedAt };
}

const masked = "***";

/** The answer for a repeat of the request: that it was done, without any secret. */
export function maskedOnboarding({ clientId, oauth, sftp }: Onboarding): object {
  return {
    clientId,
    feed: { apiKey: masked },
    oauth: { client_id: oauth.client_id, client_secret: masked },
    sftp: { username: sftp.username, password: masked },
  };
}

export function maskedCredential(issued: IssuedCredential): object {
  const { credentialId } = issued;
  if ("feed" in issued) return { credentialId, feed: { apiKey: masked } };
  if ("oauth" in issued) {
    return { credentialId, oauth: { client_id: issued.oauth.client_id, client_secret: masked } };
  }
  const { username, password } = issued.sftp;
  return { credentialId, sftp: { username, ...(password === undefined ? {} : { password: masked }) } };
}
