// `npm run texts -- REVISION`: the sentences and labels that users can meet and that came since REVISION (the commit before
// this one, when none is named), for the review of a change.
import { execFileSync } from "node:child_process";
import { isTest } from "../tests/tidy/source.ts";
import { textsOf } from "../tests/tidy/texts.ts";

const revision = process.argv[2] ?? "HEAD~1";
const isProgram = (file: string) =>
  /^(?:src|console\/src)\/.*\.tsx?$/.test(file) && !isTest(file) && !/\/generated\/|^src\/sandbox\/demo\//.test(file);

for (const line of git("diff", "--name-status", "--diff-filter=AMR", "--find-renames", revision).split("\n")) {
  const [, before = "", now = before] = line.split("\t");
  if (!isProgram(now)) continue;
  const known = line.startsWith("A") ? [] : textsOf(now, git("show", `${revision}:${before}`)).map(({ text }) => text);
  const added = textsOf(now).filter(
    ({ text }) => !known.includes(text) && isReadable(text, now.startsWith("console/")),
  );
  if (added.length > 0) console.log(`\n${now}\n${added.map(({ text, line }) => `  ${line}: ${text}`).join("\n")}`);
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/** A sentence, a part of one, or a label; not a key, a path, a statement or a list of codes. */
function isReadable(text: string, isConsole: boolean): boolean {
  if (/^(?:[#./<(]|application\/|text\/|public,|max-age|https?:)/.test(text)) return false;
  if (
    /\b(?:select|insert into|delete from|update|alter table|create (?:role|table|index)|grant|revoke)\b .*[a-z_]+_[a-z]/.test(
      text,
    )
  ) {
    return false;
  }
  const words = text.replace(/\{\w+\}/g, " ").match(/[A-Za-z][a-z’']+|\b[A-Za-z]\b/g) ?? [];
  if (isConsole && /^[A-Z][a-z]/.test(text) && !/[a-z][A-Z]|[a-z]_/.test(words[0] ?? "")) return true;
  return words.length >= 3 && /[a-z]{2}[ ,.:;]/.test(text);
}
