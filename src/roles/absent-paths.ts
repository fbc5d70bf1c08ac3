import type { RoleName } from "#/kernel/config/role-names.ts";

/**
 * Roles that serve each path prefix; the first match counts. If a prefix has several roles, a node with any of them
 * serves it.
 */
const homes: readonly { readonly begins: readonly string[]; readonly roles: readonly RoleName[] }[] = [
  { begins: ["/feeds", "/xsd"], roles: ["feeds"] },
  { begins: ["/v1/oauth", "/.well-known/jwks.json", "/.well-known/oauth-authorization-server"], roles: ["auth"] },
  { begins: ["/console", "/v1/operatorService"], roles: ["console"] },
  { begins: ["/v1"], roles: ["api"] },
  { begins: ["/docs", "/samples", "/openapi", "/asyncapi.json"], roles: ["feeds", "api", "console"] },
];

/**
 * Explains requests for paths that other nodes serve. The client has called the wrong node; a plain 404 suggests that
 * the path does not exist. Undefined for paths that no role serves.
 */
export function createAbsence(activeRoles: ReadonlySet<RoleName>): (path: string) => string | undefined {
  return (path) => {
    const home = homes.find(({ begins }) => begins.some((begin) => path === begin || path.startsWith(`${begin}/`)));
    if (home === undefined || home.roles.some((role) => activeRoles.has(role))) return undefined;
    return `This node does not serve this path: it has the roles ${[...activeRoles].join(", ")}, and not ${home.roles.join(" or ")}.`;
  };
}
