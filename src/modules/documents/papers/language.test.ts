import assert from "node:assert/strict";
import { test } from "node:test";
import { paperLanguages } from "#/kernel/values/paper-languages.ts";
import { countryName, paperLanguageOf } from "./language.ts";
import { wordsIn } from "./words.ts";

test("every language has every word, with the same places to fill in", () => {
  const english = wordsIn("en");
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const language of paperLanguages) {
    const words = wordsIn(language);
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort(), language);
    for (const [key, word] of Object.entries(words)) {
      assert.ok(word.trim() === word && word !== "", `${language} ${key}`);
      assert.deepEqual(places(word), places(english[key as keyof typeof english]), `${language} ${key}`);
    }
  }
  assert.equal(new Set(paperLanguages.map((language) => wordsIn(language).packingSlip)).size, paperLanguages.length);
});

test("the language of a slip is PackingSlipLanguage, else the order's language, else English", () => {
  const language = (attribute: string | undefined, code?: string | null) =>
    paperLanguageOf({
      language: code,
      extendedAttributes: attribute === undefined ? {} : { PackingSlipLanguage: attribute },
    });
  assert.equal(language("pl", "de"), "pl");
  assert.equal(language("DE_at"), "de");
  assert.equal(language(" nl-BE "), "nl");
  assert.equal(language(undefined, "fr-CH"), "fr");
  assert.equal(language("", "it"), "it");
  assert.equal(language("sv", "es"), "es");
  assert.equal(language("sv", "fi"), "en");
  assert.equal(language("frr"), "en");
  assert.equal(language(undefined, null), "en");
  assert.equal(paperLanguageOf({}), "en");
});

test("countries have names in each language; one that has none keeps its code", () => {
  const germany = ["Germany", "Deutschland", "Allemagne", "Alemania", "Germania", "Duitsland", "Niemcy"];
  assert.deepEqual(
    paperLanguages.map((language) => countryName("DE", language)),
    germany,
  );
  assert.equal(countryName("XK", "de"), "Kosovo");
  assert.equal(countryName("ZZ", "en"), "ZZ");
});
