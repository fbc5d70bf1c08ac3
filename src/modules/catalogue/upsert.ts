import Type from "typebox";
import { clientIdParameter, closed, moment, newIdentifier } from "#/http/routes/schema.ts";
import { createdOf, requestOf } from "#/intake/json/contract.ts";
import type { Body } from "#/intake/json/document.ts";
import type { JsonFeed } from "#/intake/json/routes.ts";
import { itemMasterShape } from "#/modules/catalogue/domain.ts";
import { item, itemBySkuQuery, itemQuery } from "#/modules/catalogue/rest-contract.ts";
import { findItems, itemRecord } from "#/modules/catalogue/rest-repository.ts";

const itemsMax = 1_000;

export const itemUpsert = Type.Object(
  {
    clientId: clientIdParameter,
    date: Type.Optional(
      moment("When the items were so in your system; left out: now. An older one than the stored is a warning."),
    ),
    items: Type.Array(
      requestOf(item, {
        required: ["sku", "name"],
        optional: [
          ...["altSku", "eanCode", "weight", "weightUomCode", "height", "length", "width", "dimensionsUomCode"],
          ...["productType", "countryOfOrigin", "imageUrl", "captureBatchRef", "extendedAttributes", "gtinBarcodes"],
          ...["components", "availableFrom"],
        ],
        more: { sku: newIdentifier("The client's own identifier of the product, case-sensitive.", "MUG-BLUE-330") },
      }),
      { minItems: 1, maxItems: itemsMax, description: "The items, each SKU once." },
    ),
  },
  {
    ...closed,
    title: "ItemUpsert",
    description: "Items, with the fields of `item/list` that the platform does not set.",
  },
);

const items = Type.Object({
  items: Type.Array(item, { description: "The items as they are now, in the order of the request." }),
});

const skusOf = ({ items }: Body) => (items as readonly { readonly sku: string }[]).map(({ sku }) => sku);

/** CAT in JSON (contract rest.md §3). */
export const itemUpserts: JsonFeed = {
  type: "CAT",
  root: "itemMaster",
  form: itemMasterShape.form,
  path: "/item/upsert",
  operationId: "upsertItems",
  summary: "Create or replace up to 1 000 items",
  description:
    "The items of a CAT feed: an item replaces the stored one, and a field that is left out is cleared, but for the client setting `catMode` = `MERGE`. All items take effect, or none.",
  query: itemQuery,
  body: itemUpsert,
  status: 200,
  answer: createdOf(items, "UpsertedItems", "items"),
  toDocument: ({ date, ...body }, at) => ({ date: date ?? at, ...body }),
  async read(tx, body) {
    const skus = skusOf(body);
    const found = new Map((await findItems(tx, skus)).map((row) => [row.sku, itemRecord(row)]));
    return { record: { items: skus.map((sku) => found.get(sku)) } };
  },
  template: {
    path: "/item/template",
    operationId: "getItemTemplate",
    query: itemBySkuQuery,
    what: "item",
    async find(tx, _, { sku }) {
      const rows = await findItems(tx, [sku as string]);
      return rows.length === 0 ? undefined : { items: rows };
    },
  },
};
