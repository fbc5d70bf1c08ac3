import { attributeList, element, text, type ValueOf, wrapped } from "#/intake/xml/index.ts";

/** The XML shape of a PO, root `vendorOrder` (specification §2.5). */
export const vendorOrderShape = element({
  children: {
    vendorOrderId: text,
    poNumber: text,
    distributionCentre: text,
    clientId: text,
    lines: wrapped(
      "line",
      element({
        children: {
          lineId: text,
          lineNumber: text,
          sku: text,
          altSku: text,
          productName: text,
          qty: text,
          qtyUom: text,
        },
      }),
    ),
    expectedDate: text,
    carrierCode: text,
    trackingNumber: text,
    cartons: wrapped(
      "carton",
      element({
        children: {
          sscc: text,
          trackingNumber: text,
          lines: wrapped(
            "line",
            element({
              children: { lineNumber: text, sku: text, qty: text, qtyUom: text, batchRef: text, expiryDate: text },
            }),
          ),
        },
      }),
    ),
    messageId: text,
    actionType: text,
    extendedAttributes: attributeList,
  },
});

export type VendorOrder = ValueOf<typeof vendorOrderShape>;
