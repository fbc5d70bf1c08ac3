import { escapeHtml } from "#/http/page.ts";
import { feedCodes } from "#/kernel/feed-codes.ts";
import { tableOf } from "#/roles/reference/markdown.ts";

/** Every code that opens an error sentence of a feed's answer, made from the one table of them. */
export function feedErrorsPage(): string {
  const rows = Object.entries(feedCodes).map(([code, { status, means, cure }]) => [
    `<code id="${code}">[${code}]</code>`,
    String(status),
    escapeHtml(means),
    escapeHtml(cure),
  ]);
  return `<h1>Codes of feeds</h1>
<p>Every error of an answer to a feed starts with one of these codes. Status 200 means that the document was judged: do not
send a refused one again unchanged. <a href="/docs/feeds">Sending feeds</a> says the rest.</p>
${tableOf(["Code", "HTTP", "Means", "Cure"], rows)}`;
}
