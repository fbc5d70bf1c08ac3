export { isUserRole, type UserRole, userRoles } from "#/modules/operator/access/domain.ts";
export { sealedFactors } from "#/modules/operator/access/factors/factor-repository.ts";
export { resetFactors } from "#/modules/operator/access/factors/own-factors.ts";
export { relyingPartyOf } from "#/modules/operator/access/factors/passkeys.ts";
export { createSecondFactor } from "#/modules/operator/access/factors/second-factor.ts";
export { type AccessContext, createSessionHooks } from "#/modules/operator/access/hooks.ts";
export { createIdentityProvider } from "#/modules/operator/access/identity-provider.ts";
export { registerProviderRoutes } from "#/modules/operator/access/provider-routes.ts";
export { purgeRefusals } from "#/modules/operator/access/refusal-repository.ts";
export { createSignIn, type SignIn } from "#/modules/operator/access/sign-in.ts";
export { listKnownClients, listKnownFacilities } from "#/modules/operator/access/user-repository.ts";
export {
  changeUser,
  createUser,
  listUsers,
  resetPassword,
  type User,
  type UserChanges,
  type UserRefusal,
} from "#/modules/operator/access/users.ts";
export type { OperatorContext } from "#/modules/operator/context.ts";
export { purgeMarks } from "#/modules/operator/exceptions/mark-repository.ts";
export { countExceptions } from "#/modules/operator/exceptions/reading.ts";
export { exceptionTypes } from "#/modules/operator/exceptions/types.ts";
export { addOperatorRoutes } from "#/modules/operator/routes.ts";
