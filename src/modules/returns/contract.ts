import { element, many, text, type ValueOf } from "#/intake/xml/index.ts";

/** The XML shape of an RMA, root `returnMerchandiseAuthorization` (specification §2.5). */
export const returnMerchandiseAuthorizationShape = element({
  children: {
    rmaNumber: text,
    clientId: text,
    distributionCentre: text,
    orderReference: text,
    creationTimeStamp: text,
    line: many(
      element({
        children: {
          lineNumber: text,
          sku: text,
          returnReasonCode: text,
          qtyUom: text,
          quantityReturned: text,
          attributeOne: text,
          attributeThree: text,
        },
      }),
    ),
  },
});

export type ReturnMerchandiseAuthorization = ValueOf<typeof returnMerchandiseAuthorizationShape>;
