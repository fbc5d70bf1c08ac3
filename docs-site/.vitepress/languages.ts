import type { MarkdownRenderer } from "vitepress";

type CoreState = Parameters<Parameters<MarkdownRenderer["core"]["ruler"]["push"]>[1]>[0];
type Token = CoreState["tokens"][number];

/** Headings of sections that are alternatives to each other. */
export const languages: ReadonlySet<string> = new Set(["curl", "TypeScript", "Java", "Python", "C#"]);

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
