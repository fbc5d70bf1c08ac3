export type { UserRole } from "#/console-api/access/domain.ts";
export { sealedFactors } from "#/console-api/access/factors/factor-repository.ts";
export { relyingPartyOf } from "#/console-api/access/factors/passkeys.ts";
export { createSecondFactor } from "#/console-api/access/factors/second-factor.ts";
export { type AccessContext, createSessionHooks } from "#/console-api/access/hooks.ts";
export { purgeRefusals } from "#/console-api/access/refusal-repository.ts";
export { registerProviderRoutes } from "#/console-api/access/sign-in/provider-routes.ts";
export { createSignIn, type SignIn } from "#/console-api/access/sign-in/sign-in.ts";
export {
  changeUser,
  createUser,
  listUsers,
  type User,
  type UserChanges,
  type UserRefusal,
} from "#/console-api/access/users.ts";
export type { OperatorContext } from "#/console-api/context.ts";
export { purgeAnnotations } from "#/console-api/exceptions/annotation-repository.ts";
export { countExceptions } from "#/console-api/exceptions/reading.ts";
export { exceptionTypes } from "#/console-api/exceptions/types.ts";
export { addOperatorRoutes } from "#/console-api/routes.ts";
export { deleteViewsWith } from "#/console-api/views/repository.ts";
