import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { checkPostcode, postcodeCountries, postcodeFormats } from "#/kernel/values/postcodes/check.ts";

const britishFormats = ["A9 9AA", "A99 9AA", "A9A 9AA", "AA9 9AA", "AA99 9AA", "AA9A 9AA"];

/** Addresses of post offices, town halls and embassies: one real postcode or more of each country. */
const realPostcodes: Record<string, readonly string[]> = {
  AD: ["AD500"],
  AI: ["AI-2640", "2640"],
  AR: ["1001", "C1002", "C1425CLA"],
  AT: ["1010", "A-1010"],
  AU: ["2000", "0800"],
  AX: ["22100", "AX-22100"],
  AZ: ["AZ1000", "AZ 1000"],
  BE: ["1000"],
  BG: ["1000"],
  BM: ["HM 12", "HM AX"],
  BN: ["BS8811"],
  BR: ["01310-200", "01310200"],
  CA: ["K1A 0B1", "k1a0b1"],
  CH: ["8001"],
  CN: ["100000"],
  CY: ["1010"],
  CZ: ["110 00", "11000"],
  DE: ["10115", "01067", "D-10115", "DE-10115", "d-01067"],
  DK: ["1050", "DK-1050"],
  EE: ["10111"],
  ES: ["28013", "08001"],
  FI: ["00100"],
  FK: ["FIQQ 1ZZ"],
  FR: ["75001", "20000"],
  GB: [
    "M1 1AE",
    "B33 8TH",
    "W1A 0AX",
    "CR2 6XH",
    "DN55 1PT",
    "EC1A 1BB",
    "GIR 0AA",
    "BFPO 1",
    "bfpo57",
    "sw1a1aa",
    " SW1A  2AA ",
  ],
  GG: ["GY1 1AA", "GY10 1SF"],
  GI: ["GX11 1AA"],
  GR: ["105 57"],
  HR: ["10000", "HR-10000"],
  HU: ["1051"],
  IE: ["", "D02 AF30", "A65 F4E2", "D6W XY00", "T12 W8RD", "d02af30"],
  IL: ["9103401", "91034"],
  IM: ["IM1 1AG", "IM99 1AD"],
  IN: ["110001", "110 001"],
  IO: ["BBND 1ZZ"],
  IR: ["11369-14811", "1136914811"],
  IS: ["101"],
  IT: ["00118"],
  JE: ["JE1 1AA", "JE2 3QA"],
  JP: ["100-0001", "1000001"],
  KR: ["04524"],
  KY: ["KY1-1001"],
  KZ: ["010000", "Z05H9B8"],
  LB: ["1100", "2038 3054"],
  LT: ["01100", "LT-01100"],
  LU: ["1009", "L-1009"],
  LV: ["LV-1010", "1010"],
  MC: ["98000"],
  MD: ["MD-2001"],
  MT: ["VLT 1117", "VLT1117"],
  MX: ["06000"],
  NL: ["1012 JS", "1012js"],
  NO: ["0150"],
  NZ: ["6011"],
  PE: ["15001", "LIMA 23"],
  PL: ["00-950"],
  PT: ["1100-148", "1100 148"],
  RE: ["97400", "97801"],
  RO: ["010011"],
  RU: ["101000"],
  SE: ["111 20", "11120", "SE-111 20"],
  SG: ["018956"],
  SH: ["STHL 1ZZ"],
  SI: ["1000", "SI-1000"],
  SK: ["811 01"],
  SZ: ["H100"],
  TC: ["TKCA 1ZZ"],
  TW: ["100", "10048", "100012"],
  US: ["20500", "20500-0005", "20500 0005"],
  VA: ["00120"],
  VE: ["1010", "1010-A"],
  VG: ["VG1110"],
  ZA: ["0001"],
};

describe("postcodes", () => {
  test("real postcodes of each country are accepted with any case and blanks", () => {
    for (const [country, postcodes] of Object.entries(realPostcodes)) {
      for (const postcode of postcodes) {
        assert.deepEqual(checkPostcode(postcode, country), { ok: true }, `${country} ${postcode}`);
      }
    }
  });

  test("a wrong British postcode is refused with the six formats in the contract's order", () => {
    for (const postcode of ["12", "12345", "SW1A", "SW1A-1AA", "SW1A 1AAA", "AAA1 1AA", "1A1 1AA", "SW1A\u212A1AA"]) {
      assert.deepEqual(checkPostcode(postcode, "GB"), { ok: false, formats: britishFormats }, postcode);
    }
  });

  test("a country with formats refuses an absent zip", () => {
    for (const zip of [undefined, "", "  "]) {
      assert.deepEqual(checkPostcode(zip, "GB"), { ok: false, formats: britishFormats });
      assert.deepEqual(checkPostcode(zip, "DE"), { ok: false, formats: ["99999"] });
    }
  });

  test("too long, too short and foreign postcodes are refused", () => {
    const wrong: [string, string][] = [
      ["US", "1234"],
      ["US", "123456"],
      ["US", "20500-00"],
      ["US", "SW1A 1AA"],
      ["DE", "1011"],
      ["DE", "D10115"],
      ["DE", "A-10115"],
      ["DE", "D-1011"],
      ["GB", "BFPO"],
      ["CA", "K1A 0BB"],
      ["FR", "7500A"],
      ["FR", "７５００１"],
      ["NL", "1012"],
      ["PL", "00-95"],
      ["SE", "1112"],
      ["VA", "00121"],
    ];
    for (const [country, postcode] of wrong) {
      const verdict = checkPostcode(postcode, country);
      assert.equal(verdict.ok, false, `${country} ${postcode}`);
    }
  });

  test("a country without postcodes takes an empty zip, and the zeros that people write there", () => {
    for (const country of ["HK", "AE", "QA"]) {
      for (const zip of [undefined, "", "00000", "999077"]) assert.deepEqual(checkPostcode(zip, country), { ok: true });
    }
  });

  test("a country without data takes any zip", () => {
    assert.equal(postcodeFormats("AQ"), undefined);
    for (const zip of [undefined, "", "BIQQ 1ZZ", "7151", "?"]) {
      assert.deepEqual(checkPostcode(zip, "AQ"), { ok: true });
    }
  });

  test("a postcode that addresses usually omit may be absent, but not wrong", () => {
    for (const zip of [undefined, "", "8320000", "832-0000"]) {
      assert.deepEqual(checkPostcode(zip, "CL"), { ok: true });
    }
    assert.deepEqual(checkPostcode("832", "CL"), { ok: false, formats: ["9999999", "999-9999"] });
  });

  test("every country of the data is an ISO 3166-1 alpha-2 code with well-formed masks, each once", () => {
    for (const country of postcodeCountries()) {
      assert.equal(toAlpha2(country), country);
      const masks = postcodeFormats(country) ?? [];
      assert.equal(new Set(masks).size, masks.length, country);
      for (const mask of masks) assert.match(mask, /^(?:[A-Z0-9*]+(?:[ -][A-Z0-9*]+)*)?$/, country);
    }
    assert.ok(postcodeCountries().filter((country) => postcodeFormats(country)?.length !== 0).length >= 180);
  });
});
