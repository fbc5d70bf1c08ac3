/** Completion of the command line in bash: commands, their options, and the operations of `crossdock api` with their keys. */

import { withApi } from "#/cli/api/api.ts";
import { findOperation, keysOf } from "#/cli/api/document.ts";
import { optionsOf } from "#/cli/call.ts";
import { type Call, type Command, done, type Outcome } from "#/cli/command.ts";

const script = `_crossdock() {
  mapfile -t COMPREPLY < <(crossdock completion -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -F _crossdock crossdock`;

export const completionOf =
  (commands: readonly Command[]) =>
  async (call: Call): Promise<Outcome> => {
    const words = call.argumentList("WORD");
    if (words.length === 0) return done(script, [script]);
    const begin = words.at(-1) as string;
    const isOperation = words[0] === "api" && words.length > 1;
    const candidates = isOperation ? await operationWords(call, words) : commandWords(commands, words);
    const found = [...new Set(candidates)].filter((candidate) => candidate.startsWith(begin)).sort();
    return done(found, found);
  };

function commandWords(commands: readonly Command[], words: readonly string[]): readonly string[] {
  const before = words.slice(0, -1);
  const command =
    commands.find(({ name }) => name === before.slice(0, 2).join(" ")) ??
    commands.find(({ name }) => name === before[0]);
  if (command) return optionsOf(command).map(({ name }) => `--${name}`);
  return commands
    .map(({ name }) => name.split(" "))
    .filter((name) => before.every((word, i) => name[i] === word))
    .flatMap((name) => name[before.length] ?? []);
}

/** Without a server there is nothing to complete. */
async function operationWords(call: Call, words: readonly string[]): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await withApi(call, async ({ operations }) => {
    const name = words[1] === "show" ? words[2] : words[1];
    const operation = findOperation(operations, name ?? "");
    if (words.length === 2) found = ["list", "show", ...operations.map(({ name }) => name)];
    else if (words[1] === "show") found = operations.map(({ name }) => name);
    else if (operation.ok) found = keysOf(operation.value).map(([key]) => `${key}=`);
    return done(null, []);
  });
  return found;
}
