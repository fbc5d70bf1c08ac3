import { ok, type Result, refused } from "#/kernel/result.ts";

/** The roles of a process, alone or together. @see contract/operations.md §2 `serve --roles` and §4. */
export const roleNames = ["api", "feeds", "auth", "worker", "sftp", "console", "warehouse-sim"] as const;

export type RoleName = (typeof roleNames)[number];

export function isRoleName(text: string): text is RoleName {
  return (roleNames as readonly string[]).includes(text);
}

/**
 * Parses a list separated by commas, as `serve --roles` and `CROSSDOCK_ROLES` take it.
 *
 * @returns the roles, each once, in the order of `roleNames`; or what was expected.
 */
export function parseRoleNames(text: string): Result<readonly RoleName[], string> {
  const named = text.split(",").map((part) => part.trim());
  const unknown = named.filter((name) => !isRoleName(name));
  if (unknown.length > 0) {
    return refused(
      `${unknown.map((name) => `'${name}'`).join(", ")} is not a role; name some of ${roleNames.join(", ")}, separated by commas`,
    );
  }
  return ok(roleNames.filter((role) => named.includes(role)));
}
