import { glob, readFile } from "node:fs/promises";
import path from "node:path";

/** A section of the documentation. */
interface Section {
  /** Path of its page: `/docs/webhooks`. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Lower-case. */
  readonly words: string;
}

export interface FoundSection {
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

const foundMax = 6;
const excerptCharacters = 1_500;
const wordsMax = 12;

/** Searches the sections of the built documentation: those with the most of the words, a title before a text. */
export function createDocsSearch(folderOf: () => Promise<string | undefined>) {
  let sections: readonly Section[] | undefined;
  return async (query: string): Promise<readonly FoundSection[]> => {
    const folder = await folderOf();
    if (folder === undefined) return [];
    sections ??= await sectionsIn(folder);
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [])].slice(0, wordsMax);
    return sections
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, foundMax)
      .map(({ section: { page, title, text } }) => ({ page, title, excerpt: text.slice(0, excerptCharacters) }));
  };
}

function scoreOf({ title, words: content }: Section, words: readonly string[]): number {
  const heading = title.toLowerCase();
  return words.reduce((sum, word) => sum + (heading.includes(word) ? 3 : 0) + (content.includes(word) ? 1 : 0), 0);
}

/** The sections of the Markdown of all pages, by their headings. */
async function sectionsIn(folder: string): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for await (const file of glob("**/*.md", { cwd: folder })) {
    const page = `/docs/${file.replace(/\.md$/, "")}`;
    const text = await readFile(path.join(folder, file), "utf8");
    // A heading within a fence begins a section too, which harms no search.
    for (const part of text.split(/^(?=#{1,3} )/m)) {
      const title = /^#+ (.*)/.exec(part)?.[1] ?? page;
      sections.push({ page, title, text: part, words: part.toLowerCase() });
    }
  }
  return sections;
}
