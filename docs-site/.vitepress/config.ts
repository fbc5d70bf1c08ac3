// The documentation below /docs, from the Markdown of docs/ (docs/decisions/0046-documentation-site.md).
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig } from "vitepress";
import { pages, sections } from "../contents.ts";
import { showLanguagesAsTabs } from "./languages.ts";
import { readAsText } from "./markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Smaller ones gain nothing that a client would notice. */
const compressedBytesMin = 1024;

/** Inline scripts of the pages by the names of the files that replace them. */
const scripts = new Map<string, string>();

/** Inline scripts become files, because the policy of the pages allows scripts from files only. */
function withoutInlineScripts(html: string): string {
  return html.replace(/<script( id="[\w-]+")?>([\s\S]+?)<\/script>/g, (_all, id: string | undefined, code: string) => {
    const file = `assets/inline.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
    scripts.set(file, code);
    return `<script${id ?? ""} src="/docs/${file}"></script>`;
  });
}

/** VitePress leaves the page for unknown paths to the script, which knows the path. Readers without script get the ways back. */
const withoutScript = `<noscript><h1>There is no such page</h1>
<p><a href="/docs">All pages of the documentation</a></p></noscript>`;

const source = path.join(root, "../docs");
const description = "Documentation of the release that this deployment runs.";

/**
 * For readers without a browser: each page as the Markdown that it is made of, a list of them (llmstxt.org) and all of them
 * in one file.
 */
function writeText(folder: string): void {
  const read = (file: string) => readFileSync(path.join(source, file), "utf8");
  const texts = pages.map(({ name }) => {
    const bare = read(`${name}.md`).replace(/^---\n[\s\S]*?\n---\n+/, "");
    const linesOf = (file: string, from: string) =>
      read(file)
        .split("\n")
        .slice(Number(from) - 1)
        .join("\n");
    return { name, text: bare.replace(/<!--@include: (\S+)\{(\d+),\}-->/, (_all, ...of) => linesOf(of[0], of[1])) };
  });
  for (const { name, text } of texts) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, `${name}.md`), text);
  }
  const lists = sections.map(({ title, pages: entries, programPages = [] }) => {
    const links = [...entries.map((entry) => ({ ...entry, path: `/docs/${entry.name}.md` })), ...programPages];
    return [`## ${title}`, "", ...links.map((link) => `- [${link.title}](${link.path}): ${link.about}`), ""].join("\n");
  });
  const head = `# Crossdock\n\n> ${description}\n`;
  writeFileSync(path.join(folder, "llms.txt"), [head, ...lists].join("\n"));
  writeFileSync(path.join(folder, "llms-full.txt"), [head, ...texts.map(({ text }) => text)].join("\n"));
}

/** The font under a name without a hash, for the pages that the program makes. */
function nameFont(folder: string): void {
  const assets = path.join(folder, "assets");
  const file = readdirSync(assets).find((name) => /^inter-latin-wght-normal\..+\.woff2$/.test(name));
  if (file === undefined)
    throw new Error(`${assets} has no inter-latin-wght-normal.*.woff2: has the package of the font changed?`);
  copyFileSync(path.join(assets, file), path.join(folder, "inter.woff2"));
}

/** Beside each text a `.br` and a `.gz`, so that nothing is compressed while it is served. */
function precompress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:html|js|css|svg|json|md|txt)$/.test(name)) continue;
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    if (bytes.length < compressedBytesMin) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** Changes to components of VitePress by the names of their files. */
const changesOfComponents: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>> = {
  // A button with links in the options of a list box, which screen readers cannot reach. It becomes a dialog with links.
  "VPLocalSearchBox.vue": [
    ['role="button"', 'role="dialog"\n      aria-modal="true"'],
    [":aria-owns=\"results?.length ? 'localsearch-list' : undefined\"", ""],
    ['aria-expanded="true"', ""],
    ['aria-haspopup="listbox"', ""],
    [":aria-activedescendant=\"selectedIndex > -1 ? ('localsearch-item-' + selectedIndex) : undefined\"", ""],
    ['aria-autocomplete="both"', ""],
    [":role=\"results?.length ? 'listbox' : undefined\"", ""],
    [":aria-selected=\"selectedIndex === index ? 'true' : 'false'\"", ""],
    ['role="option"', ""],
    // The visible text is the name of a result.
    [":aria-label=\"[...p.titles, p.title].join(' > ')\"", ""],
    ["<kbd :aria-label", '<kbd role="img" :aria-label'],
  ],
  // The key is not a part of the button's name; the style sheet shows it.
  "VPNavBarSearchButton.vue": [[">K</kbd>", "></kbd>"]],
  // The page for an unknown path has the menu too.
  "shared.js": [
    ["frontmatter: { sidebar: false, layout: 'page' }", "frontmatter: { layout: 'page' }"],
    ["title: '404'", "title: 'No such page'"],
  ],
};

const readableComponents = {
  name: "readable-components",
  enforce: "pre" as const,
  transform(code: string, id: string) {
    const changes = changesOfComponents[path.basename(id)];
    return changes?.reduce((changed, [before, after]) => {
      if (!changed.includes(before)) throw new Error(`${id} of VitePress has changed: there is no ${before}`);
      return changed.replaceAll(before, after);
    }, code);
  },
};

const longLists = new Set(["events.md", "rest-operations.md"]);

// VitePress looks for the default export.
export default defineConfig({
  base: "/docs/",
  lang: "en",
  title: "Crossdock",
  titleTemplate: ":title · Crossdock",
  description,
  head: [
    ["link", { rel: "icon", href: "data:," }],
    // Before the first paint: the style sheet hides what only a script can show again.
    ["script", {}, 'document.documentElement.classList.add("scripted")'],
  ],
  srcDir: source,
  srcExclude: ["decisions/**", "quick-start/**"],
  outDir: process.env.CROSSDOCK_DOCS_OUT ?? path.join(root, "dist"),
  cleanUrls: true,
  // In a file of its own: an inline script would differ from release to release.
  metaChunk: true,
  // The switch of the scheme would write a style element, which the policy forbids.
  appearance: { disableTransition: false },
  // Links without a page become text.
  ignoreDeadLinks: false,
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Paths such as `/order/get/{orderId}` end like attributes.
    attrs: { disable: true },
    linkify: false,
    anchor: { slugify: slugOf },
    config: (md) => {
      readAsText(md, new Set(["index", ...pages.map(({ name }) => name)]));
      showLanguagesAsTabs(md);
    },
  },
  vite: {
    plugins: [readableComponents],
    build: { assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 10_000 },
  },
  transformPageData(page) {
    // Readers look for a topic or an operation, whose headings are below those of their groups.
    if (longLists.has(page.relativePath)) Object.assign(page.frontmatter, { outline: [2, 3] });
  },
  transformHtml: (html, file) => {
    const page = withoutInlineScripts(html);
    if (path.basename(file) !== "404.html") return page;
    return page.replace("<title>404 ", "<title>No such page ").replace("<body>", `<body>\n${withoutScript}`);
  },
  buildEnd({ outDir }) {
    mkdirSync(path.join(outDir, "assets"), { recursive: true });
    for (const [file, code] of scripts) writeFileSync(path.join(outDir, file), code);
    nameFont(outDir);
    writeText(outDir);
    precompress(outDir);
  },
  themeConfig: {
    // A heading that says what is sought comes before long texts that have its words often.
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: { boost: { title: 4, text: 1, titles: 1 } } } },
    },
    outline: { level: 2, label: "On this page" },
    nav: [
      { text: "API reference", link: "/api", target: "_self" },
      { text: "Feeds", link: "/sending-feeds" },
      { text: "Events", link: "/events" },
      { text: "Problems", link: "/problems" },
    ],
    sidebar: sections.map(({ title, pages: entries, programPages = [] }) => ({
      text: title,
      items: [
        ...entries.map((entry) => ({ text: entry.title, link: `/${entry.name}` })),
        // These leave the site; /docs/samples redirects to /samples.
        ...programPages.map((page) => ({
          text: page.title,
          link: page.path.replace(/^\/docs/, ""),
          target: "_self",
        })),
      ],
    })),
  },
});

/** Built from the text alone, as on the repository's pages. A topic of events keeps its name. */
function slugOf(title: string): string {
  if (/^\w+:[\w-]+$/.test(title)) return title;
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
