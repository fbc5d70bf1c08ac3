import { iso31662 } from "iso-3166";

/**
 * Countries whose addresses name a state, province or region, with forms that the standard does not list: the United
 * States Postal Service delivers to the armed forces under AA, AE and AP. China, Japan and the Emirates are omitted:
 * the standard uses another transcription of their names than their addresses do.
 */
const otherForms: Readonly<Record<string, readonly string[]>> = {
  AU: [],
  BR: [],
  CA: [],
  ES: [],
  IN: [],
  IT: [],
  MX: ["CDMX", "Estado de México"],
  US: ["AA", "AE", "AP", "Washington DC", "Washington, D.C."],
};

const formsByCountry = new Map<string, Set<string>>(
  Object.entries(otherForms).map(([country, forms]) => [country, new Set(forms.map(folded))]),
);
for (const { code, name } of iso31662) {
  const forms = formsByCountry.get(code.slice(0, 2));
  for (const form of [code, code.slice(3), name]) forms?.add(folded(form));
}

/** Whether addresses in the country name a state. @param country ISO 3166-1, two letters */
export function hasStates(country: string): boolean {
  return formsByCountry.has(country);
}

/** Whether it is a state of the country: by its ISO 3166-2 code, with or without the country, or by its name. */
export function isState(country: string, state: string): boolean {
  return formsByCountry.get(country)?.has(folded(state)) === true;
}

/** Without accents, punctuation and case: shops write `São Paulo`, `Sao Paulo` and `SAO PAULO`. */
function folded(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
