// The passwords that attackers guess first (NIST SP 800-63B §3.1.1.2). The list names its source and licence.
import { readFileSync } from "node:fs";

const file = new URL("guessable-passwords.txt", import.meta.url);
const pieceMin = 4;
const pieceMax = 24;
/** A password of more pieces is a random choice of words, which a list does not guess. */
const piecesMax = 3;

let known: ReadonlySet<string> | undefined;

export function readGuessablePasswords(): ReadonlySet<string> {
  known ??= new Set(
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
  return known;
}

/**
 * Whether the password is on the list, or consists of at most three pieces. A piece is a password of the list,
 * unchanged or with symbols in the place of letters, a run such as `1234`, or a single character.
 */
export function isGuessable(password: string): boolean {
  const lower = password.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
  return [lower, plainOf(lower)].some((text) => countPieces(text) <= piecesMax);
}

const letters: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Converts `p@ssw0rd` to `password`. */
const plainOf = (text: string): string => text.replace(/[013457@$!]/g, (sign) => letters[sign] ?? sign);

/** The smallest number of pieces of which the text consists. */
function countPieces(text: string): number {
  const common = readGuessablePasswords();
  const fewest: number[] = [0];
  for (let end = 1; end <= text.length; end++) {
    let best = (fewest[end - 1] as number) + 1;
    for (let start = Math.max(0, end - pieceMax); start <= end - pieceMin; start++) {
      const count = (fewest[start] as number) + 1;
      if (count >= best) continue;
      const piece = text.slice(start, end);
      if (common.has(piece) || isRun(piece)) best = count;
    }
    fewest.push(best);
  }
  return fewest[text.length] as number;
}

/** Characters at a constant step: `aaaa`, `abcd`, `4321`. */
function isRun(piece: string): boolean {
  const step = piece.charCodeAt(1) - piece.charCodeAt(0);
  if (Math.abs(step) > 1) return false;
  for (let i = 2; i < piece.length; i++) if (piece.charCodeAt(i) - piece.charCodeAt(i - 1) !== step) return false;
  return true;
}
