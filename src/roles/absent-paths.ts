import type { RoleName } from "#/kernel/config/role-names.ts";

/** Whose paths begin so; the first that fits. Those of several roles are served by a node that has any of them. */
const homes: readonly { readonly begins: readonly string[]; readonly roles: readonly RoleName[] }[] = [
  { begins: ["/feeds", "/xsd"], roles: ["feeds"] },
  { begins: ["/v1/oauth", "/.well-known/jwks.json", "/.well-known/oauth-authorization-server"], roles: ["auth"] },
  { begins: ["/console", "/v1/operatorService"], roles: ["console"] },
  { begins: ["/v1"], roles: ["api"] },
  { begins: ["/docs", "/samples", "/openapi", "/asyncapi.json"], roles: ["feeds", "api", "console"] },
];

/**
 * What is said of a path that this node does not serve because other nodes do: who gets here has asked the wrong one, and a
 * plain 404 would tell him that the path is wrong. Undefined for paths that nobody serves.
 */
export function createAbsence(own: ReadonlySet<RoleName>): (path: string) => string | undefined {
  return (path) => {
    const home = homes.find(({ begins }) => begins.some((begin) => path === begin || path.startsWith(`${begin}/`)));
    if (home === undefined || home.roles.some((role) => own.has(role))) return undefined;
    return `This node does not serve this path: it has the roles ${[...own].join(", ")}, and not ${home.roles.join(" or ")}.`;
  };
}
