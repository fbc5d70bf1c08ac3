import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import type { RateCard } from "#/modules/carriers/rate-cards/rate-card-contract.ts";
import { readRateCardCsv, writeRateCardCsv } from "#/modules/carriers/rate-cards/rate-card-csv.ts";
import { demoCarrierData } from "#/sandbox/demo/carriers/carriers.ts";
import { diceOf } from "../../../../tests/support/builders/dice.ts";
import { makeData } from "../../../../tests/support/carriers/carrier-worlds.ts";

const header = "zone,country,postcodes,remote,upToKg,price,perExtraKg";
const messages = (text: string) => readRateCardCsv(text).report.map(({ line, message }) => `${line}: ${message}`);

test("the price matrices of the demo and of a hundred generated sets are read back unchanged", () => {
  const cards = [
    ...(demoCarrierData.rateCards as unknown as RateCard[]),
    ...Array.from({ length: 100 }, (_, seed) => makeData(diceOf(seed)).rateCards).flat(),
  ];
  for (const { zones, breaks } of cards) {
    // A repeated entry counts once, and `remote: false` is the default.
    const plain = zones.map(({ remote, ...entry }) => (remote ? { ...entry, remote } : entry));
    const distinct = [...new Map(plain.map((entry) => [JSON.stringify(entry), entry])).values()];
    const { matrix, report } = readRateCardCsv(writeRateCardCsv({ zones, breaks }));
    assert.deepEqual(matrix?.zones, distinct);
    const order = (rows: RateCard["breaks"] = []) => Map.groupBy(rows, ({ zone }) => zone);
    assert.deepEqual(order(matrix?.breaks), order(breaks));
    assert.ok(report.every(({ isTaken }) => isTaken));
  }
});

test("an imported matrix makes a valid card", () => {
  const text = `${header}\nHOME,GB,,,2,3.10,\nHOME,GB,,,20,5.4,0.25\nFAR,GB,IV|KW|BT1..BT9,TRUE,,,\n`;
  const { matrix } = readRateCardCsv(text);
  assert.deepEqual(matrix, {
    zones: [
      { zone: "HOME", country: "GB" },
      {
        zone: "FAR",
        country: "GB",
        remote: true,
        postcodePrefixes: ["IV", "KW"],
        postcodeRanges: [{ from: "BT1", to: "BT9" }],
      },
    ],
    breaks: [
      { zone: "HOME", upToKg: 2, price: 3.1 },
      { zone: "HOME", upToKg: 20, price: 5.4, perExtraKg: 0.25 },
    ],
  });
  const services = [{ code: "S", carrierCode: "C", name: "S", serviceLevel: "STANDARD" }];
  assert.ok(checkCarrierData({ services, rateCards: [{ serviceCode: "S", currency: "GBP", ...matrix }] }).ok);
});

test("a file with semicolons, decimal commas, quotation marks and a byte order mark is read", () => {
  const text =
    '\uFEFFcountry;zone;postcodes;remote;upToKg;price;perExtraKg\r\nDE;"Zone ""A""; Süd";;false;2,5;3,10;0,5\r\n\r\n';
  assert.deepEqual(readRateCardCsv(text).matrix, {
    zones: [{ zone: 'Zone "A"; Süd', country: "DE" }],
    breaks: [{ zone: 'Zone "A"; Süd', upToKg: 2.5, price: 3.1, perExtraKg: 0.5 }],
  });
});

test("every line is reported, and one that is wrong keeps the whole matrix out", () => {
  const text = [
    header,
    "A,GB,,,2,3,",
    "A,GB,,,2,4,",
    ",Britain,,maybe,two,-1,x",
    "A,IE,,,,5,",
    "A,IE,,,5,,0.1",
    "A,IE,",
    'B,FR,"20,,,1,1,',
  ].join("\n");
  const { matrix, report } = readRateCardCsv(text);
  assert.equal(matrix, undefined);
  assert.deepEqual(
    report.map(({ line, isTaken, message }) => `${line} ${isTaken ? "taken" : "refused"}: ${message}`),
    [
      "1 taken: columns",
      "2 taken: zone A, GB, up to 2 kg: 3",
      "3 refused: zone A up to 2 kg has another price in line 2",
      '4 refused: zone is empty; country is "Britain": must be two capitals, as of ISO 3166-1; remote is "maybe": must be true, false or empty; ' +
        'upToKg is "two": must be a number such as 12.5; price is "-1": must be a number such as 12.5; perExtraKg is "x": must be a number such as 12.5',
      "5 refused: upToKg is empty, but price is not",
      "6 refused: price is empty, but upToKg or perExtraKg is not",
      "7 refused: has 3 cells, the header has 7",
      "8 refused: a quotation mark is never closed",
    ],
  );
});

test("quotation marks that cannot be read end the file with the line and the reason", () => {
  const after = (line: string) => messages(`${header}\n"A\n1",GB,,,2,3,\n\n${line}\nC,GB,,,2,3,`).slice(2);
  assert.deepEqual(after('"B"x,GB,,,2,3,'), ["5: text follows a closing quotation mark"]);
  assert.deepEqual(after('B,"GB,,,2,3,'), ["5: a quotation mark is never closed"]);
  assert.deepEqual(messages('zone,"'), ["1: a quotation mark is never closed"]);
});

test("a file without its columns, without lines, or with nothing at all is refused with the reason", () => {
  assert.deepEqual(messages(""), ["1: the file has no lines"]);
  assert.deepEqual(messages(header), ["1: columns", "2: there is no line below the header"]);
  assert.deepEqual(messages("zone,country,price,price,colour\n"), [
    "1: columns are missing: postcodes, remote, upToKg, perExtraKg; columns are not known, or are present twice: price, colour",
  ]);
});

test("columns beyond twice the known ones are counted and not compared", () => {
  const columns = (length: number) => Array.from({ length }, (_, i) => `c${i}`).join();
  assert.match(messages(`${columns(14)}\n`)[0] ?? "", /^1: columns are missing: .*; columns are not known, .*, c13$/);
  assert.deepEqual(messages(`${columns(60_000)}\n`), [
    "1: has 60000 columns: must be zone, country, postcodes, remote, upToKg, price, perExtraKg",
  ]);
});

test("no cell is a formula to a spreadsheet, and escaped cells are read back unchanged", () => {
  for (const zone of ["=1+1", "-1+1+cmd|' /C calc'!A0", "＝1+1", "@SUM(1)", "'=1+1", "+A1"]) {
    const matrix = { zones: [{ zone, country: "GB" }], breaks: [{ zone, upToKg: 2, price: 3 }] };
    const text = writeRateCardCsv(matrix);
    assert.match(text, /\r\n"?'/u, zone);
    assert.deepEqual(readRateCardCsv(text).matrix, matrix);
  }
});
