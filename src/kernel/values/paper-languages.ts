/** Languages of the packing slip. Labels and customs papers are in English, which carriers and customs read. */
export const paperLanguages = ["en", "de", "fr", "es", "it", "nl", "pl"] as const;
export type PaperLanguage = (typeof paperLanguages)[number];

/** The language of a tag such as `de-CH` or `DE_at`; undefined where there are no papers in it. */
export function paperLanguageOfTag(tag: string | null | undefined): PaperLanguage | undefined {
  const primary = tag?.trim().toLowerCase().split(/[-_]/, 1)[0];
  return paperLanguages.find((language) => language === primary);
}
