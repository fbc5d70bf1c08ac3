export { isUserRole, type UserRole, userRoles } from "#/modules/operator/domain.ts";
export { createUser, listUsers, type User } from "#/modules/operator/service.ts";
