import { escapeHtml } from "#/http/requests/page.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

/**
 * The page for an unknown path: a link to the page with the nearest name, and a way back. @param names of all pages
 * below `/docs`.
 */
export function absentPage(name: string, names: readonly string[]): string {
  const nearest = nearestName(name.toLowerCase().replace(/(?:\.md|\/)$/, ""), names);
  const guess = nearest === undefined ? "" : `\n<p>Did you mean <a href="/docs/${nearest}">/docs/${nearest}</a>?</p>`;
  return `<h1>There is no such page</h1>
<p>The documentation has no page <code>/docs/${escapeHtml(name)}</code>.</p>${guess}
<p><a href="/docs">All pages of the documentation</a></p>`;
}
