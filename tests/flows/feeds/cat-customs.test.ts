// docs/customs.md: the warnings [CUSTOMS] of a catalogue, and its JSON twin.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, type Parts } from "../../support/builders/documents.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const plain = await server.onboard("PLAIN");
const abroad = await server.onboard("ABROAD", { settings: { customsDestinations: "US, EU" } });
const merging = await server.onboard("MERGING", { settings: { customsDestinations: "EU", catMode: "MERGE" } });

const vague: Parts = {
  sku: "VAGUE",
  extendedAttributes: attributes({ HsCode: "69.12", CustomsDescription: "Gifts", NoStandardProductId: "yes" }),
};
const complete: Parts = {
  sku: "MUG",
  name: "Ceramic mug",
  weight: "0.35",
  weightUomCode: "KG",
  countryOfOrigin: "GB",
  extendedAttributes: attributes({
    HsCode: "6912.00.23.00",
    ManufacturerProductId: "PM-330",
    NoStandardProductId: "true",
  }),
};
const ofValues = (place: string) => [
  `[CUSTOMS] ${place}: HsCode '69.12': expected 6, 8, 10 or more digits, such as 6912.00 or 6912002300`,
  `[CUSTOMS] ${place}: CustomsDescription 'Gifts': 'gifts' is a stop word of ICS2; say what the goods are`,
  `[CUSTOMS] ${place}: NoStandardProductId 'yes': expected true, false, 1 or 0`,
];

async function warningsOf(client: typeof plain, clientId: string, ...items: readonly (string | Parts)[]) {
  const { token } = await client.accept("CAT", catalogue(clientId, items));
  const { warnings, state } = await client.outcome(token);
  assert.equal(state, "PROCESSED");
  return warnings;
}

test("values that customs refuse are warnings of an accepted catalogue, and missing data are not", async () => {
  assert.deepEqual(await warningsOf(plain, "PLAIN", vague, "BARE"), ofValues("item[1]"));
  const call = restCalls(server.url, "/v1/itemMasterService", plain.credentials);
  const { body } = await call("GET", "/findItemBySku?sku=VAGUE");
  assert.deepEqual(
    body.warnings,
    ofValues("item").map((text) => text.replace(" item:", "")),
  );
  const upserted = await call("POST", "/item/upsert", {
    items: [{ sku: "TWIN", name: "Twin", extendedAttributes: { CustomsDescription: "Spare parts" } }],
  });
  assert.equal(upserted.status, 200);
  assert.deepEqual(upserted.body.warnings, [
    "[CUSTOMS] item: CustomsDescription 'Spare parts': 'spare parts' is a stop word of ICS2; say what the goods are",
  ]);
});

test("with customsDestinations a catalogue is warned of the fields that each item lacks", async () => {
  assert.deepEqual(await warningsOf(abroad, "ABROAD", complete, { sku: "BARE", name: "Bowl" }), [
    "[CUSTOMS] item[2]: SKU BARE lacks customs data for EU: HsCode, countryOfOrigin, weight, ManufacturerProductId, eanCode; US: HsCode, countryOfOrigin, weight",
  ]);
});

test("with catMode MERGE the stored item may have what a catalogue leaves out", async () => {
  assert.deepEqual(await warningsOf(merging, "MERGING", { ...vague, sku: "ONE" }), ofValues("item"));
});
