import { configVariables } from "#/kernel/config/variables.ts";

/** The variables as rows of a markdown table: variable, default, meaning. */
export function configReference(): readonly string[] {
  return Object.values(configVariables).map(
    ({ name, standard, meaning, isSecret }) =>
      `| \`${name}\` | ${standard} | ${meaning}${isSecret ? " (secret)" : ""} |`,
  );
}

/** The complete text of docs/configuration.md; a test compares the file with it. */
export function configurationPage(): string {
  return `# Configuration

Crossdock reads its environment once at start and checks it as a whole: every problem is listed at once, and the process
ends with exit code 1. Names starting \`CROSSDOCK_\` that are not listed here are refused; those starting \`CROSSDOCK_TEST_\`
are free.

- A \`.env\` file in the working directory fills in what the environment leaves out.
- Any value may be kept in a file: \`NAME_FILE\` holds its path, line breaks at its end do not count. Giving both \`NAME\` and
  \`NAME_FILE\` is refused.
- A blank value counts as none. Truth is \`true\`, \`1\`, \`on\` or \`yes\`, its opposite \`false\`, \`0\`, \`off\` or \`no\`.
- Values marked *secret* are never shown, not even in a complaint about them.

| Variable | Default | Meaning |
|---|---|---|
${configReference().join("\n")}

This page is generated from \`src/kernel/config/variables.ts\`.
`;
}
