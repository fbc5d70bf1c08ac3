import { attributeList, element, many, text, type ValueOf, wrapped } from "#/xml/index.ts";

/** CAT, root `itemMaster` (specification §2.5): how its elements are read. */
export const itemMasterShape = element({
  children: {
    clientId: text,
    date: text,
    item: many(
      element({
        children: {
          sku: text,
          altSku: text,
          eanCode: text,
          name: text,
          weight: text,
          weightUomCode: text,
          height: text,
          length: text,
          width: text,
          dimensionsUomCode: text,
          productType: text,
          countryOfOrigin: text,
          imageUrl: text,
          captureBatchRef: text,
          extendedAttributes: attributeList,
          gtinBarcodes: wrapped("barcode", text),
        },
      }),
    ),
  },
});

export type ItemMaster = ValueOf<typeof itemMasterShape>;
export type ItemElement = ItemMaster["item"][number];
