// Renders the guides of `docs/` as HTML.
import { Marked } from "marked";
import { escapeHtml } from "#/http/requests/page.ts";

/** @param linkOf target of a link to another file; undefined renders its text without a link. */
export function renderMarkdown(text: string, linkOf: (target: string) => string | undefined): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // Wide code scrolls, so it must be reachable by keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const link = linkOf(href);
        return link === undefined ? words : `<a href="${escapeHtml(link)}">${words}</a>`;
      },
      table({ header, rows }) {
        const cellsOf = (row: typeof header) => row.map(({ tokens }) => this.parser.parseInline(tokens));
        return `${tableOf(cellsOf(header), rows.map(cellsOf))}\n`;
      },
      html: ({ text }) => (text.startsWith("<!--") ? "" : escapeHtml(text)),
    },
  });
  return marked.parse(text, { async: false }).trimEnd();
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

/** Built from the text alone, as on the repository's pages, without link targets. */
function slugOf(title: string): string {
  return title
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
