import { attributeList, element, text, type ValueOf, wrapped } from "#/intake/xml/index.ts";

/** The XML shape of one `item` of a CAT (specification §2.5). */
export const itemShape = element({
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
    availableFrom: text,
    components: wrapped("component", element({ children: { sku: text, qty: text } })),
  },
});

export type ItemElement = ValueOf<typeof itemShape>;
