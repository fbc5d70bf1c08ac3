// docs/acknowledgements.md: every code with its cause, generated from the table of codes and the samples.
// tests/guides/newcomer.test.ts runs the page.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { type FeedCode, feedCodes } from "#/kernel/feed-codes.ts";
import { acts, cures, quoted, sampleFaults } from "./feed-code-exhibits.ts";
import { readPage, root } from "./fences.ts";

const page = "docs/acknowledgements.md";
const begin = "<!-- made from src/kernel/feed-codes.ts, samples/refused and tests/guides/feed-code-exhibits.ts -->";
const end = "<!-- end of the codes -->";

const faults = await sampleFaults();
const codes = Object.keys(feedCodes) as FeedCode[];

test("every code is provoked: by samples, at a shell, or by a test that is named", () => {
  for (const code of codes) {
    const ways = [faults.some((fault) => fault.code === code), acts[code] !== undefined, quoted[code] !== undefined];
    assert.equal(ways.filter(Boolean).length, 1, code);
  }
});

test("every refused sample has a remedy, and every remedy a sample", () => {
  assert.deepEqual(Object.keys(cures).sort(), [...new Set(faults.map(({ name }) => name))].sort());
});

test("a sentence that is only quoted is in the test that provokes it", () => {
  for (const { sentence, test: file } of Object.values(quoted)) {
    const source = readFileSync(path.join(root, file), "utf8").replaceAll("\\", "");
    assert.ok(source.includes(sentence), `${file} does not provoke ${sentence}`);
  }
});

test("the sections of the codes are those that the program and the samples lead to (CROSSDOCK_TEST_UPDATE=1 writes them)", () => {
  const text = readPage(page);
  const parts = new RegExp(`${begin}[^]*${end}`);
  assert.match(text, parts);
  const updated = text.replace(parts, () => [begin, table(), ...codes.map(section), end].join("\n\n"));
  if (process.env.CROSSDOCK_TEST_UPDATE) writeFileSync(path.join(root, page), updated);
  else assert.equal(text, updated);
});

function table(): string {
  const rows = codes.map((code) => {
    const { status, means } = feedCodes[code];
    return `| [\`[${code}]\`](#${code.toLowerCase().replaceAll("_", "-")}) | ${status} | ${means} |`;
  });
  return ["| Code | HTTP | Means |", "|---|---|---|", ...rows].join("\n");
}

function section(code: FeedCode): string {
  const { means, cure } = feedCodes[code];
  return [`### \`[${code}]\``, `${means} **Remedy:** ${cure}`, ...examples(code)].join("\n\n");
}

function examples(code: FeedCode): string[] {
  const act = acts[code];
  if (act) return [act.about, `\`\`\`sh\n${act.command}\n\`\`\``, `\`\`\`text\n${act.output}\n\`\`\``];
  const quotation = quoted[code];
  if (quotation) return [quotation.about, `\`\`\`text example\n${quotation.sentence.trim()}\n\`\`\``];
  const rows = faults
    .filter((fault) => fault.code === code)
    .map(({ name, sentence, excerpt }) => `| ${quote(excerpt)} | ${quote(sentence)} | ${cures[name]} | \`${name}\` |`);
  return [["| In the document | Answer | Remedy | Sample |", "|---|---|---|---|", ...rows].join("\n")];
}

/** Code in a cell of a table. */
const quote = (text: string) => (text === "" ? "the whole of it" : `\`${text.replaceAll("|", "\\|")}\``);
