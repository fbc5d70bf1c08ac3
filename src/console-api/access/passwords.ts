// The rules of a password that its user has chosen.
import { isGuessable } from "#/kernel/security/guessable-passwords.ts";

export const passwordLengthMin = 12;
export const passwordLengthMax = 256;

/** Shorter names occur in too many words. */
const nameLengthMin = 4;

/** Why a chosen password is refused; undefined where it is accepted. Only length matters (NIST SP 800-63B §3.1.1). */
export function faultOfPassword(password: string, userName: string): string | undefined {
  if (password.length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`;
  if (holds(password, userName)) return "must not contain the user name";
  if (holds(password, "crossdock")) return "must not contain the name of the product";
  if (new Set(password).size < 5) return "must have at least five different characters";
  return isGuessable(password)
    ? "must not be a common password, or consist of three or fewer of them; use four words or more"
    : undefined;
}

/** @param names identifiers and names of clients, only of those that the user may know. */
export function faultOfClientNames(password: string, names: readonly string[]): string | undefined {
  const held = names.find((name) => holds(password, name));
  return held === undefined ? undefined : `must not contain the name of a client: ${held}`;
}

/** Ignores blanks and symbols between the letters. */
function holds(password: string, name: string): boolean {
  const plain = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  return plain(name).length >= nameLengthMin && plain(password).includes(plain(name));
}
