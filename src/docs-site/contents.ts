/** Fewer parts are seen at a glance. */
const partsMin = 4;

/** A guide with a list of its parts, where the introduction ends: links to the headings of the second level. */
export function withContents(html: string): string {
  const parts = [...html.matchAll(/^<h2 id="([^"]+)">(.+)<\/h2>$/gm)];
  const [first] = parts;
  if (first === undefined || parts.length < partsMin) return html;
  const links = parts.map(([, id, title = ""]) => `<li><a href="#${id}">${withoutLinks(title)}</a></li>`);
  const contents = `<nav aria-label="On this page"><ul class="contents">\n${links.join("\n")}\n</ul></nav>\n`;
  return html.slice(0, first.index) + contents + html.slice(first.index);
}

/** A link cannot hold another. */
const withoutLinks = (title: string) => title.replace(/<\/?a\b[^>]*>/g, "");
