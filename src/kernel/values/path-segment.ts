/**
 * Why an identifier cannot be part of an address of the REST services: every program that reads an address takes `.` and `..`
 * for steps within it, percent-encoded too.
 */
export function faultOfPathSegment(identifier: string | undefined): string | undefined {
  if (identifier !== "." && identifier !== "..") return undefined;
  return `'${identifier}' cannot be part of an address; choose another identifier`;
}
