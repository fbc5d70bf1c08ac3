/** What a console user may do: everything, daily work, look. */
export const userRoles = ["admin", "operator", "viewer"] as const;
export type UserRole = (typeof userRoles)[number];

export function isUserRole(text: string): text is UserRole {
  return (userRoles as readonly string[]).includes(text);
}

export function isUserName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text);
}
