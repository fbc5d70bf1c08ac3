export { sealedSigningKeys } from "#/modules/clients/oauth/key-repository.ts";
export { createKeyring, type SigningKey } from "#/modules/clients/oauth/keyring.ts";
export { registerTokenRoutes, type TokenRoutesContext } from "#/modules/clients/oauth/routes.ts";
export {
  algorithm,
  keepSigningKeys,
  type RotatedSigningKey,
  rotateSigningKey,
} from "#/modules/clients/oauth/signing-keys.ts";
export {
  createTokenService,
  type TokenService,
  type TokenServiceContext,
} from "#/modules/clients/oauth/token-service.ts";
export type { Verifier } from "#/modules/clients/oauth/verifier.ts";
