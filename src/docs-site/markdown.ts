// Renders the guides of `docs/` as HTML. It supports only the Markdown that they use: headings, paragraphs, lists,
// tables, fenced code, and inline `code`, **bold** and [links](feeds.md).
import { escapeHtml } from "#/http/requests/page.ts";

/** @param linkOf target of a link to another file; undefined renders its text without a link. */
export function renderMarkdown(text: string, linkOf: (target: string) => string | undefined): string {
  const lines = text.replace(/<!--[\s\S]*?-->\n?/g, "").split("\n");
  const inline = (part: string) => renderInline(part, linkOf);
  const blocks: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const [block, next] = readBlock(lines, i, inline);
    if (block !== "") blocks.push(block);
    i = next;
  }
  return blocks.join("\n");
}

type Inline = (part: string) => string;
/** The HTML of a block, and the index of the line after it. */
type Block = readonly [html: string, next: number];

const heading = /^(#{1,6}) (.+)$/;
const item = /^(?:- |\d+\. )/;

function readBlock(lines: readonly string[], from: number, inline: Inline): Block {
  const line = lines[from] as string;
  if (line.trim() === "") return ["", from + 1];
  if (line.startsWith("```")) return readCode(lines, from);
  if (line.startsWith("|")) return readTable(lines, from, inline);
  if (item.test(line)) return readList(lines, from, inline);
  const [, marks, title] = heading.exec(line) ?? [];
  if (marks !== undefined && title !== undefined) {
    const level = marks.length;
    return [`<h${level} id="${slugOf(title)}">${inline(title)}</h${level}>`, from + 1];
  }
  const end = endOf(lines, from, (next) => next.trim() === "" || /^(?:```|\||#)/.test(next) || item.test(next));
  return [`<p>${inline(lines.slice(from, end).join(" "))}</p>`, end];
}

function endOf(lines: readonly string[], from: number, isBehind: (line: string) => boolean): number {
  const end = lines.findIndex((line, i) => i > from && isBehind(line));
  return end === -1 ? lines.length : end;
}

function readCode(lines: readonly string[], from: number): Block {
  const end = endOf(lines, from, (line) => line.startsWith("```"));
  return [`<pre tabindex="0"><code>${escapeHtml(lines.slice(from + 1, end).join("\n"))}</code></pre>`, end + 1];
}

function readTable(lines: readonly string[], from: number, inline: Inline): Block {
  const end = endOf(lines, from, (line) => !line.startsWith("|"));
  const [head = [], , ...rows] = lines.slice(from, end).map(cellsOf);
  return [
    tableOf(
      head.map(inline),
      rows.map((row) => row.map(inline)),
    ),
    end,
  ];
}

/** Splits at the bars between cells, but not at escaped bars. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** @param head the cells of the head, as HTML, like those of the rows. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const titles = head.map((cell) => `<th scope="col">${cell}</th>`).join("");
  const titled = head.every((cell) => cell === "") ? "" : `<thead><tr>${titles}</tr></thead>\n`;
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  // A wide table scrolls, so it must be reachable by keyboard.
  return `<div class="wide" tabindex="0"><table>
${titled}<tbody>
${body}
</tbody>
</table></div>`;
}

function readList(lines: readonly string[], from: number, inline: Inline): Block {
  const end = endOf(lines, from, (line) => line.trim() === "" || !(item.test(line) || line.startsWith("  ")));
  const items: string[] = [];
  for (const line of lines.slice(from, end)) {
    if (item.test(line)) items.push(line.replace(item, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const tag = /^\d/.test(lines[from] as string) ? "ol" : "ul";
  return [`<${tag}>\n${items.map((it) => `<li>${inline(it)}</li>`).join("\n")}\n</${tag}>`, end];
}

/** Code in backticks is not formatted further: it is taken out first, and put back at the end. */
function renderInline(text: string, linkOf: (target: string) => string | undefined): string {
  const codes: string[] = [];
  return escapeHtml(text)
    .replace(/`` (.+?) ``|`([^`]+)`/g, (_, quoted: string | undefined, code: string) => {
      return `\uE000${codes.push(quoted ?? code) - 1}\uE001`;
    })
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, target: string) => {
      const link = linkOf(target);
      return link === undefined ? words : `<a href="${link}">${words}</a>`;
    })
    .replace(/\uE000(\d+)\uE001/g, (_, i: string) => `<code>${codes[Number(i)]}</code>`);
}

/** Built from the text alone, as on the repository's pages, without link targets. */
function slugOf(title: string): string {
  return title
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
