export { registerTokenRoutes, type TokenRoutesContext } from "#/modules/clients/oauth/routes.ts";
export {
  createTokenService,
  type TokenService,
  type TokenServiceContext,
} from "#/modules/clients/oauth/token-service.ts";
export type { Verifier } from "#/modules/clients/oauth/verifier.ts";
