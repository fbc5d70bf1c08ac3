import Type, { type Static } from "typebox";
import { checkOf } from "#/kernel/values/schema-check.ts";

/** The audience of access tokens: the REST services of a deployment, and no other reader of a JWT. */
export const tokenAudience = "crossdock";

const standard = {
  iss: Type.String(),
  aud: Type.Literal(tokenAudience),
  /** Credential that the token was issued for. */
  sub: Type.String(),
  env: Type.String(),
  iat: Type.Number(),
  exp: Type.Number(),
  jti: Type.String(),
};

const claims = Type.Union([
  Type.Object({ ...standard, kind: Type.Literal("client"), client_ids: Type.Array(Type.String()) }),
  Type.Object({ ...standard, kind: Type.Literal("warehouse"), facility: Type.String() }),
  Type.Object({ ...standard, kind: Type.Literal("carrier"), carrier: Type.String() }),
]);

/** The claims of an access token (contract operations.md §5: claims name the client identifiers). */
export type TokenClaims = Static<typeof claims>;

const check = checkOf(claims);

export function isTokenClaims(payload: unknown): payload is TokenClaims {
  return check().Check(payload);
}
