import assert from "node:assert/strict";
import { test } from "node:test";
import { crossesCustomsBorder } from "./customs-border.ts";

/** `GB BS1 5TY` as country and postcode. */
function crosses(from: string, to: string): boolean {
  const place = (text: string): [string, string | undefined] => [text.slice(0, 2), text.slice(3) || undefined];
  return crossesCustomsBorder(...place(from), ...place(to));
}

const free = (from: string, to: string) => assert.equal(crosses(from, to), false, `${from} to ${to}`);
const border = (from: string, to: string) => assert.equal(crosses(from, to), true, `${from} to ${to}`);
const bothDirections = (check: typeof free, country: string, other: string) => {
  check(country, other);
  check(other, country);
};

test("goods within the European Union and within a country need no declaration", () => {
  const members = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
  assert.equal(members.length, 27);
  for (const from of members) for (const to of members) free(from, to);
  for (const country of ["GB", "CH", "NO", "TR", "US", "JP"]) free(country, country);
  free("PT 1000-001", "PT 9000-001");
});

test("goods into and out of the European Union need a declaration", () => {
  for (const country of "GB CH LI NO IS TR AD SM VA RS BA ME MK AL XK MD UA US CN JP FO GL GI".split(" ")) {
    bothDirections(border, "DE 10117", country);
  }
  bothDirections(border, "NO 0150", "SE");
  bothDirections(border, "US", "CA");
  bothDirections(border, "CN", "HK");
  bothDirections(border, "TR", "SM");
});

test("Monaco belongs to the Union, Liechtenstein and Büsingen to Switzerland, the Isle of Man to Great Britain", () => {
  bothDirections(free, "MC 98000", "FR 06000");
  bothDirections(free, "LI 9490", "CH 8001");
  bothDirections(free, "DE 78266", "CH 8200");
  bothDirections(border, "DE 78266", "DE 78224");
  bothDirections(free, "IM IM1 1AA", "GB SW1A 1AA");
  bothDirections(free, "GB IM1 1AA", "GB SW1A 1AA");
  for (const island of ["JE JE2 3AB", "GG GY1 1AA"]) bothDirections(border, island, "GB SW1A 1AA");
  bothDirections(free, "GB je23ab", "JE");
  bothDirections(free, "GB GY1 1AA", "GG");
  bothDirections(border, "JE", "GG");
});

test("Northern Ireland trades goods as part of the Union, and sends to Great Britain without papers", () => {
  bothDirections(free, "GB BT1 1AA", "IE");
  bothDirections(free, "GB bt11aa", "DE");
  border("GB SW1A 1AA", "GB BT1 1AA");
  free("GB BT1 1AA", "GB SW1A 1AA");
  free("GB BT1 1AA", "IM");
  bothDirections(border, "GB BT1 1AA", "CH");
  bothDirections(border, "GB BT1 1AA", "US");
  free("GB BT1 1AA", "GB BT2 8AA");
  // Without a postcode the main part of the country counts.
  border("GB", "IE");
});

test("places outside the Union's customs or VAT territory are declared, from their own country too", () => {
  const places = [
    ...["ES 35001", "ES 38001", "ES 51001", "ES 52001", "IT 23041", "IT 22061", "DE 27498", "FI 22100"],
    ...[
      "GR 63086",
      "FR 97100",
      "FR 97200",
      "FR 97300",
      "FR 97400",
      "FR 97600",
      "FR 98800",
      "FR 97133",
      "AX",
      "GP",
      "RE",
    ],
  ];
  for (const place of places) {
    bothDirections(border, place, "DE 10117");
    bothDirections(border, place, place.slice(0, 2) === "AX" ? "FI 00100" : "FR 75001");
    free(place, place);
  }
  bothDirections(border, "ES 35001", "ES 28001");
  bothDirections(border, "ES 51001", "ES 52001");
  bothDirections(free, "ES 35001", "ES 38001");
  bothDirections(free, "FR 97400", "RE 97400");
  bothDirections(free, "FI 22100", "AX 22100");
  bothDirections(free, "IT 47890", "SM 47890");
  bothDirections(free, "FR 97133", "GP 97133");
  bothDirections(border, "FR 97100", "FR 97200");
});

test("Svalbard is not in Norway's customs area, Puerto Rico is in that of the United States, Guam is not", () => {
  bothDirections(border, "NO 9170", "NO 0150");
  bothDirections(border, "NO 8099", "NO 8000");
  bothDirections(free, "NO 9170", "SJ");
  bothDirections(free, "PR", "US 10001");
  bothDirections(border, "GU", "US");
});
