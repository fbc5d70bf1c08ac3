// Recovery codes, for a user who has lost the second factor. Each is shown once, is valid once, and is stored as a
// hash.
import { createHash, randomInt } from "node:crypto";

export const recoveryCodesPerUser = 10;

/**
 * Crockford's alphabet: without the letters that are mistaken for digits or for each other. 32 characters, so 16 of
 * them are 80 bits.
 */
const signs = "0123456789abcdefghjkmnpqrstvwxyz";

export function makeRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => signs.charAt(randomInt(signs.length))).join("");
  return Array.from({ length: recoveryCodesPerUser }, () => Array.from({ length: 4 }, group).join("-"));
}

/** Accepts a code as a person types it: in capitals, with blanks, O for 0, I or L for 1. The user name is its salt. */
export function recoveryCodeHash(userName: string, typed: string): Buffer {
  const code = typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return createHash("sha256").update(`crossdock recovery code v1 ${userName} ${code}`).digest();
}
