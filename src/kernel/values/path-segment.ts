/**
 * Why an identifier cannot be part of a URL of the REST services: every program that parses a URL reads `.` and `..` as
 * relative steps, also percent-encoded.
 */
export function faultOfPathSegment(identifier: string | undefined): string | undefined {
  if (identifier !== "." && identifier !== "..") return undefined;
  return `'${identifier}' cannot be part of an address; choose another identifier`;
}
