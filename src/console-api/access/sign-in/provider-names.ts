import { createHash } from "node:crypto";
import { isUserName } from "#/console-api/access/domain.ts";

const lengthMax = 64;

/**
 * Names for a new user, the best first: the text of a claim, in the letters of user names. Where the name is taken,
 * also by a local account, a number follows, and finally a text that only this subject has: a name alone proves
 * nothing.
 */
export function userNamesFrom(claims: readonly unknown[], subject: string): readonly string[] {
  const subjectHash = createHash("sha256").update(subject).digest("hex").slice(0, 16);
  const stem = claims.flatMap((claim) => (typeof claim === "string" ? plain(claim) : [])).find(isUserName) ?? "user";
  const short = stem.slice(0, lengthMax - subjectHash.length - 1);
  return [stem, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${short}-${number}`), `${short}-${subjectHash}`];
}

function plain(claim: string): string {
  return claim
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._@+-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|-+$/g, "")
    .slice(0, lengthMax);
}
