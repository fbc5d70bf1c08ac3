import path from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Place of the lists of pages on the start page. */
const startPagePlace = "<!-- start page -->";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Vue evaluates what is between two of them.
  "{{": "&#123;&#123;",
};

const escapeHtml = (text: string) => text.replace(/[&<>"]|\{\{/g, (sign) => entities[sign] ?? sign);

/**
 * Guides are text: HTML and Vue's braces in them are shown, comments are not, and a link that leads to no page is its
 * text. The remark after the language of a block is for the tests of the guides. An operation of the list of all leads to
 * the API reference.
 * @param names of all pages
 */
export function readAsText(md: MarkdownRenderer, names: ReadonlySet<string>): void {
  md.core.ruler.disable("emoji");
  const html = (content: string) => {
    if (content.trim() === startPagePlace) return "<StartPage />\n";
    return content.startsWith("<!--") ? "" : escapeHtml(content);
  };
  md.renderer.rules.html_block = (tokens, i) => html(tokens[i]?.content ?? "");
  md.renderer.rules.html_inline = (tokens, i) => html(tokens[i]?.content ?? "");
  md.renderer.rules.text = (tokens, i) => escapeHtml(tokens[i]?.content ?? "");

  md.core.ruler.push("guides", ({ tokens, env, Token }) => {
    const page: string = env.relativePath ?? "";
    let section = "";
    for (const token of tokens) {
      if (token.type === "fence") token.info = token.info.trim().split(/\s/)[0] ?? "";
      if (token.type === "heading_open" && token.tag === "h2") section = token.attrGet("id") ?? "";
      const { children } = token;
      if (children === null) continue;
      const operation = page === "rest-operations.md" ? referenceOf(token.content, section) : undefined;
      if (operation !== undefined) {
        const link = new Token("link_open", "a", 1);
        // Another page for the router of the site, which leaves a link with a target to the browser.
        link.attrs = [
          ["href", operation],
          ["target", "_self"],
        ];
        token.children = [link, ...children, new Token("link_close", "a", -1)];
        continue;
      }
      let isDropped = false;
      token.children = children.filter((child) => {
        if (child.type === "link_close" && isDropped) {
          isDropped = false;
          return false;
        }
        // Links of headings to themselves.
        if (child.type !== "link_open" || child.attrGet("class") === "header-anchor") return true;
        const target = targetOf(page, child.attrGet("href") ?? "", names);
        if (target === undefined) isDropped = true;
        else child.attrSet("href", target);
        return !isDropped;
      });
    }
  });
}

/**
 * The place of an operation in the API reference, as Scalar names it, for a line that is only the operation:
 * `GET /v1/orderService/order/list`. The document has the name of the service, and its one tag that of the section.
 */
function referenceOf(line: string, section: string): string | undefined {
  const [, method = "", route = "", service] = /^`([A-Z]+) (\/v1\/(\w+)Service\/\S+)`$/.exec(line) ?? [];
  if (service === undefined) return undefined;
  const document = service.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
  return encodeURI(`/docs/api#${document}/tag/${section}/${method}${route}`);
}

/** Guides link to each other as files with relative paths. */
function targetOf(page: string, href: string, names: ReadonlySet<string>): string | undefined {
  if (href.startsWith("#")) return href;
  const [, file, place = ""] = /^([^#:]+)\.md(#.*)?$/.exec(href) ?? [];
  if (file === undefined) return undefined;
  // The changelog is a file of the root, and leads to pages below docs/.
  const name = path.posix.join(path.posix.dirname(page), file).replace(/^docs\//, "");
  return names.has(name) ? `/${name}${place}` : undefined;
}
