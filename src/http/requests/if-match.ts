import Type from "typebox";
import { outdated, type Refusal } from "#/kernel/refusal.ts";

/** The header of updates: the object must still be at the version that the client has seen (contract rest.md §2). */
export const ifMatchHeader = {
  "if-match": Type.Optional(
    Type.String({
      maxLength: 1024,
      description: "ETag of the version that the update changes; another one is refused with 412.",
      examples: ['"1"'],
    }),
  ),
};

/** The ETag of a record's version. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * A 412 when the header names another version; undefined where the update may continue. Tags are compared strongly (RFC
 * 9110 §13.1.1).
 */
export function refusalOfVersion(ifMatch: string | undefined, version: number): Refusal | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes(entityTag(version))) return undefined;
  // A number without its quotes is not a tag: the detail explains this to a client that sends the current version.
  const hint = tags.includes(String(version)) ? "; an ETag is sent with its quotes" : "";
  const detail = `If-Match names ${ifMatch}, but the object is at version "${version}"${hint}.`;
  return outdated(detail);
}
