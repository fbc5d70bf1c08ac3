/**
 * Compares our data with two packages that know postcodes. Where they differ, a table records that the difference was
 * checked, and why our data is right. Both packages are oracles only: one has no formats to name, the other refuses
 * blanks and accepts any dash.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { validate } from "postal-codes-js";
import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator";
import { checkPostcode, compileMasks, postcodeCountries, postcodeFormats } from "#/kernel/values/postcodes/check.ts";

/** Postcodes that an oracle accepts and our data refuses. The key is the country and a mask of them, or one of them. */
const refusedByUsAlone: Record<string, string> = {
  "CR 999-9999": "The form from before the five-digit codes.",
  "FI AX-22100": "Åland is a separate country in ISO 3166-1 (AX), where we take it.",
  "GG GY1A 1AA": "The expression takes a letter after the district's digit, which no Guernsey district has.",
  "IL 379999": "Israel had five digits and has seven now; six are a misprint of either.",
  "IL 999999": "As above.",
  "NI 999-999": "The old form without its last digit; Nicaragua has five digits today.",
  "RU 999": "Three digits name a region's sorting office, not an address.",
};

/** Single postcodes of that table, which random generation is likely to miss. */
const singlePostcodes = ["AX-22100", "GY1A 1AA"];

/** Our masks that neither oracle accepts. */
const takenByUsAlone: Record<string, string> = {
  "AS 99999-9999": "ZIP+4 of the United States Postal Service, which serves American Samoa.",
  "AS 999999999": "ZIP+4 without its dash, as enterprise systems export it.",
  "CR 99999-9999": "Boxes carry four more digits.",
  "CV 9999-999": "Cabo Verde has added three digits for the street; the four stay in use.",
  "EG 9999999": "Egypt Post has brought in seven digits; five stay in use.",
  "FO FO-999": "Country prefix, as the post of the Faroes writes it on mail from abroad.",
  "HN AA9999": "The older form with the department's letters, still printed.",
  "HT HT9999": "The Universal Postal Union's form for Haiti: HT6110.",
  "IS IS-999": "Country prefix, as used on mail from abroad.",
  "KH 999999": "Cambodia Post has moved to six digits; five stay in use.",
  "KZ A99A9A9": "Kazpost's codes by building, beside the six digits.",
  "MU 999AA999": "The form with the letters of a street, as Google's address data has it.",
  "MN 999999": "Mongolia's codes by street; both lengths are in use.",
  "PE CALLAO 9": "The districts' old form, as Google's address data has it.",
  "PE CALLAO 99": "As above.",
  "PE LIMA 9": "As above.",
  "PE LIMA 99": "As above.",
  "PL 99999": "The dash is left out often enough, and nothing else it could mean.",
  "PT 9999999": "As for Poland.",
  "PY 999999": "Paraguay has moved to six digits; four stay in use.",
  "SH TDCU 1ZZ": "Tristan da Cunha, which ISO 3166-1 counts under SH.",
  "TW 999-999": "Six digits are often written in two groups.",
  "UM 99999-9999": "ZIP+4, as in the other territories; the oracle knows Wake Island's 96898 alone.",
  "UM 999999999": "As above, without its dash.",
};

/** Countries for which our data requires nothing although an oracle does. */
const freeWithUs: Record<string, string> = {
  AQ: "Stations use the codes of the nation that runs them: BIQQ 1ZZ, 7151, 96599.",
  BO: "Bolivia's four digits were never taken up.",
  CK: "The Cook Islands have no postcodes; the oracle has those of New Zealand.",
  JM: "Kingston's sector numbers are part of the town's name; the wider scheme was suspended.",
  LY: "Addresses in Libya are written to a box and a town.",
  PS: "We know too little of the Palestinian post to refuse an order by the oracle's three digits.",
  TD: "One oracle has five digits, the other none, and addresses there are written without.",
};

/** Codes of countries whose whole range is one code or a few: random generation is likely to miss them. */
const knownCodes: Record<string, readonly string[]> = {
  AI: ["2640", "AI-2640", "AI2640"],
  AS: ["96799"],
  BL: ["97133"],
  CC: ["6799"],
  CX: ["6798"],
  FM: ["96941"],
  GI: ["GX11 1AA"],
  GL: ["3900"],
  LI: ["9490"],
  MC: ["98000"],
  MF: ["97150"],
  MP: ["96950"],
  NC: ["98800"],
  NF: ["2899"],
  PF: ["98714"],
  PM: ["97500"],
  PW: ["96940"],
  SH: ["ASCN 1ZZ"],
  SM: ["47890"],
  UM: ["96898"],
  VA: ["00120"],
};

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "0123456789";

/** Postcodes of a mask, the same ones in every run. */
function* postcodesOf(mask: string, count: number): Generator<string> {
  let state = 1;
  const pick = (characters: string): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return characters[(state >>> 8) % characters.length] as string;
  };
  const kinds: Record<string, string> = { A: letters, "9": digits, "*": letters + digits };
  for (let index = 0; index < count; index++) {
    yield mask.replace(/[A9*]/g, (kind) => pick(kinds[kind] as string));
  }
}

/** `undefined`: the oracle does not know the country. It may require a blank or no blank; our data never does. */
function postcodeValidatorTakes(country: string, postcode: string): boolean | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return undefined;
  return postcodeValidator(postcode, country) || postcodeValidator(postcode.replaceAll(" ", ""), country);
}

/** `undefined`: the oracle does not know the country, or accepts any postcode there. */
function postalCodesTakes(country: string, postcode: string): boolean | undefined {
  if (validate(country, "?") === true || String(validate(country, "?")).startsWith("Unknown")) return undefined;
  return validate(country, postcode) === true;
}

function anyOracleTakes(country: string, postcode: string): boolean {
  // The second oracle drops every dash before it checks, so it says nothing about a dash.
  return (
    postcodeValidatorTakes(country, postcode) === true ||
    (!postcode.includes("-") && postalCodesTakes(country, postcode) === true)
  );
}

const countries = postcodeCountries();
const countriesWithFormats = countries.filter((country) => postcodeFormats(country)?.length !== 0);
const digitMasks = Array.from({ length: 10 }, (_, index) => "9".repeat(index + 1));
const allMasks = [
  ...new Set([...digitMasks, "999-999", ...countries.flatMap((country) => postcodeFormats(country) ?? [])]),
].filter((mask) => mask !== "");

describe("postcodes against the oracles", () => {
  test("we accept what an oracle accepts, except listed differences", () => {
    const found: string[] = [];
    for (const country of countriesWithFormats) {
      for (const mask of allMasks) {
        for (const postcode of postcodesOf(mask, 12)) {
          if (checkPostcode(postcode, country).ok || !anyOracleTakes(country, postcode)) continue;
          found.push(`${country} ${mask}`);
          break;
        }
      }
      for (const postcode of singlePostcodes) {
        if (!checkPostcode(postcode, country).ok && anyOracleTakes(country, postcode)) {
          found.push(`${country} ${postcode}`);
        }
      }
    }
    assert.deepEqual(found.sort(), Object.keys(refusedByUsAlone).sort());
  });

  test("an oracle accepts each of our masks, except listed differences", () => {
    const found: string[] = [];
    for (const country of countriesWithFormats) {
      if (postcodeValidatorTakes(country, "?") === undefined && postalCodesTakes(country, "?") === undefined) continue;
      for (const mask of postcodeFormats(country) ?? []) {
        const known = (knownCodes[country] ?? []).filter((postcode) => compileMasks([mask])(postcode.replace(" ", "")));
        const taken = [...known, ...postcodesOf(mask, 300)].some(
          (postcode) => postcodeValidatorTakes(country, postcode) || postalCodesTakes(country, postcode),
        );
        if (mask !== "" && !taken) found.push(`${country} ${mask}`);
      }
    }
    assert.deepEqual(found.sort(), Object.keys(takenByUsAlone).sort());
  });

  test("we require no postcode where no oracle does, and in the listed countries", () => {
    const found = [...countries.filter((country) => postcodeFormats(country)?.length === 0), "AQ", "BV", "PS", "TF"];
    const restricted = found.filter(
      (country) => postcodeValidatorTakes(country, "?") !== undefined || postalCodesTakes(country, "?") !== undefined,
    );
    assert.deepEqual(restricted.sort(), Object.keys(freeWithUs).sort());
  });

  test("every postcode that covers a whole country is accepted", () => {
    for (const [country, postcodes] of Object.entries(knownCodes)) {
      const taken = postcodes.filter((postcode) => checkPostcode(postcode, country).ok);
      assert.deepEqual(taken, postcodes, country);
    }
  });
});
