import { problemCodes, problemKinds } from "#/http/problems/problem-codes.ts";

/** The complete docs/problems.md; a test compares the file with it. */
export function problemsPage(): string {
  const sections = problemCodes.map((code) => {
    const { status, title, meaning, cure } = problemKinds[code];
    return `## \`${code}\`\n\n${title}: status ${status}. ${meaning}\n\nWhat to do: ${cure}`;
  });
  return `# Problems

A REST service answers a refused request with \`application/problem+json\` (RFC 9457). Its \`type\` is \`/problems/\` and the name of
one of these; \`errors\` names every fault of the request. Feeds answer in XML, with [other codes](acknowledgements.md).

${sections.join("\n\n")}

This page is generated from the code: \`http/problems/problem-codes.ts\`.
`;
}
