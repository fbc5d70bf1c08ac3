import { assert } from "#/kernel/assert.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { type IssuedCredential, issueCredential, type OauthSecret } from "#/modules/clients/credentials/credentials.ts";
import { clientCredentialKinds } from "#/modules/clients/domain.ts";
import { createClient, type NewClient } from "#/modules/clients/service.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";

/** The secrets that a new client gets once: exactly the object of contract/operations.md §2. */
export interface Onboarding {
  readonly clientId: string;
  readonly feed: { readonly apiKey: string };
  readonly oauth: OauthSecret;
  readonly sftp: { readonly username: string; readonly password: string };
}

/** A new client with one credential of each kind. Refused if the identifier is invalid or taken. */
export async function onboardClient(
  tx: Transaction,
  change: Change,
  request: NewClient & { readonly environment: string },
): Promise<Result<Onboarding, string>> {
  const { clientId, environment } = request;
  const created = await createClient(tx, change, request);
  if (!created.ok) return created;
  let parts: Record<string, unknown> = {};
  for (const kind of clientCredentialKinds) {
    const issued = await issueCredential(tx, change, { clientId, kind, environment });
    assert(issued.ok, "a new client takes credentials");
    parts = { ...parts, ...withoutId(issued.value) };
  }
  return ok({ clientId, ...parts } as Onboarding);
}

function withoutId({ credentialId: _, ...part }: IssuedCredential): Record<string, unknown> {
  return part;
}
