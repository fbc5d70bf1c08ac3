/** With fewer parts, a guide needs no list. */
const partsMin = 4;

/** Inserts a list of the parts at the end of the introduction: links to the headings of the second level. */
export function withContents(html: string): string {
  const parts = [...html.matchAll(/^<h2 id="([^"]+)">(.+)<\/h2>$/gm)];
  const [first] = parts;
  if (first === undefined || parts.length < partsMin) return html;
  const links = parts.map(([, id, title = ""]) => `<li><a href="#${id}">${withoutLinks(title)}</a></li>`);
  const contents = `<nav aria-label="On this page"><ul class="contents">\n${links.join("\n")}\n</ul></nav>\n`;
  return html.slice(0, first.index) + contents + html.slice(first.index);
}

/** Removes links, because a link cannot contain another. */
const withoutLinks = (title: string) => title.replace(/<\/?a\b[^>]*>/g, "");
