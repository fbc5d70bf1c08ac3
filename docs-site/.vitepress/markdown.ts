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
 * text. The remark after the language of a block is for the tests of the guides.
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

  md.core.ruler.push("guides", ({ tokens, env }) => {
    const page: string = env.relativePath ?? "";
    for (const token of tokens) {
      if (token.type === "fence") token.info = token.info.trim().split(/\s/)[0] ?? "";
      const { children } = token;
      if (children === null) continue;
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

/** Guides link to each other as files with relative paths. */
function targetOf(page: string, href: string, names: ReadonlySet<string>): string | undefined {
  if (href.startsWith("#")) return href;
  const [, file, place = ""] = /^([^#:]+)\.md(#.*)?$/.exec(href) ?? [];
  if (file === undefined) return undefined;
  // The changelog is a file of the root, and leads to pages below docs/.
  const name = path.posix.join(path.posix.dirname(page), file).replace(/^docs\//, "");
  return names.has(name) ? `/${name}${place}` : undefined;
}
