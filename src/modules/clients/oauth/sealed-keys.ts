import type { SealedRow, SealedTable } from "#/db/schema/sealed-table.ts";
import {
  listSealedSigningKeys,
  replaceSealedSigningKeys,
  type SealedSigningKey,
} from "#/modules/clients/oauth/key-repository.ts";

const column = "private_jwk_encrypted";

/** The context under which a signing key's private half is sealed. */
export function signingKeyContext(keyId: string): string {
  return `signing_key ${keyId}`;
}

const rowOf = ({ key_id: keyId, private_jwk_encrypted: sealed }: SealedSigningKey): SealedRow => ({
  key: keyId,
  texts: [{ column, sealed, context: signingKeyContext(keyId) }],
});

/** The sealed columns of the keys of access tokens. */
export const sealedSigningKeys: SealedTable = {
  table: "signing_key",
  columns: [column],
  isOfClients: false,
  list: async (tx, after, limit) => (await listSealedSigningKeys(tx.plain, after, limit)).map(rowOf),
  replace: (tx, _column, texts) => replaceSealedSigningKeys(tx.plain, texts),
};
