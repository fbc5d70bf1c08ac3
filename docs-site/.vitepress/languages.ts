import { existsSync, readFileSync } from "node:fs";
import type { MarkdownRenderer } from "vitepress";

type CoreState = Parameters<Parameters<MarkdownRenderer["core"]["ruler"]["push"]>[1]>[0];
type Token = CoreState["tokens"][number];

/** Headings of sections that are alternatives to each other, with the names of files. */
export const languages: ReadonlyMap<string, string> = new Map([
  ["curl", "curl"],
  ["TypeScript", "typescript"],
  ["Java", "java"],
  ["Python", "python"],
  ["C#", "csharp"],
  ["Go", "go"],
]);

/** A line of a page, and its place. */
export interface Line {
  readonly text: string;
  readonly file: string;
  readonly number: number;
}

interface Section {
  readonly title: string;
  /** With the heading. */
  readonly lines: Line[];
}

const folderOf = (page: string) => page.replace(/\.md$/, "");

/**
 * A page `NAME.md` shows its programs in one language. The others have files `NAME/LANGUAGE.md` with sections of the same
 * titles: each becomes the last part of the section of the page, below the name of its language.
 */
export function linesOfPage(page: string): Line[] {
  const sections = sectionsOf(page);
  for (const [language, name] of languages) {
    const file = `${folderOf(page)}/${name}.md`;
    // The first section is the introduction.
    for (const { title, lines } of existsSync(file) ? sectionsOf(file).slice(1) : []) {
      const section = sections.find((section) => section.title === title);
      if (section === undefined) throw new Error(`${file} has the section ${title}, and ${page} does not`);
      section.lines.push(...lines.map((line, i) => (i === 0 ? { ...line, text: `### ${language}` } : line)));
    }
  }
  return sections.flatMap(({ lines }) => lines);
}

function sectionsOf(file: string): Section[] {
  const sections: Section[] = [{ title: "", lines: [] }];
  for (const [i, text] of readFileSync(file, "utf8").split("\n").entries()) {
    if (text.startsWith("## ")) sections.push({ title: text.slice(3), lines: [] });
    sections.at(-1)?.lines.push({ text, file, number: i + 1 });
  }
  return sections;
}

interface Panel {
  readonly language: string;
  /** The section with its heading. */
  readonly tokens: Token[];
}

/**
 * Neighbouring sections whose headings name languages become tabs. Everything that reads plain Markdown, such as the
 * tests of the guides, has them one after the other.
 */
export function showLanguagesAsTabs(md: MarkdownRenderer): void {
  md.core.ruler.before("normalize", "language files", (state) => {
    const { path: page, includes = [] }: { path: string; includes?: string[] } = state.env;
    if (!existsSync(folderOf(page))) return;
    const lines = linesOfPage(page);
    state.src = lines.map(({ text }) => text).join("\n");
    // The development server watches them.
    includes.push(...new Set(lines.map(({ file }) => file)));
  });
  md.core.ruler.push("languages", (state) => {
    const tokens: Token[] = [];
    let panels: Panel[] = [];
    let level = "";
    const endPanels = () => {
      tokens.push(...(panels.length > 1 ? tabsOf(panels, state) : panels.flatMap((panel) => panel.tokens)));
      panels = [];
    };
    for (const [i, token] of state.tokens.entries()) {
      if (token.type === "heading_open" && token.level === 0) {
        const language = state.tokens[i + 1]?.content ?? "";
        const isLanguage = languages.has(language);
        if (panels.length > 0 && (token.tag < level || (token.tag === level && !isLanguage))) endPanels();
        if (isLanguage) {
          level = token.tag;
          panels.push({ language, tokens: [] });
        }
      }
      (panels.at(-1)?.tokens ?? tokens).push(token);
    }
    endPanels();
    state.tokens = tokens;
  });
}

function tabsOf(panels: readonly Panel[], { Token }: CoreState): Token[] {
  const open = (component: string, name: string, value: string) => {
    const token = new Token(`${component}_open`, component, 1);
    token.attrSet(name, value);
    return token;
  };
  const close = (component: string) => new Token(`${component}_close`, component, -1);
  const names = panels.map(({ language }) => language);
  return [
    open("LanguageTabs", "languages", names.join(" ")),
    ...panels.flatMap(({ language, tokens }) => [
      open("LanguagePanel", "language", language),
      ...tokens,
      close("LanguagePanel"),
    ]),
    close("LanguageTabs"),
  ];
}
