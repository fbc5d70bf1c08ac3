import { attributeList, element, many, text, type ValueOf, wrapped } from "#/intake/xml/index.ts";

const amount = element({ attributes: ["unit"], content: "amount" });

const taxes = element({
  attributes: ["unit", "amount"],
  children: { tax: many(element({ attributes: ["type"], content: "amount" })) },
});

const address = element({
  attributes: ["addressId"],
  children: {
    title: text,
    companyName: text,
    department: text,
    firstName: text,
    lastName: text,
    address1: text,
    address2: text,
    city: text,
    zip: text,
    state: text,
    country: text,
    phone: text,
    mobile: text,
    email: text,
  },
});

/** The XML shape of an NO, root `orderRequest` (specification §2.5). */
export const orderRequestShape = element({
  children: {
    orderId: text,
    actionType: text,
    clientId: text,
    externalOrderReference: text,
    catalogId: text,
    doNotShip: text,
    origin: text,
    language: text,
    orderDate: text,
    shippingMethod: text,
    shippingCost: amount,
    subtotal: amount,
    totalPrice: amount,
    taxes,
    billToAddress: address,
    shipToAddress: address,
    payments: wrapped("payment", element({ attributes: ["type"], children: { tender: text } })),
    lines: wrapped(
      "line",
      element({
        children: {
          lineNumber: text,
          sku: text,
          qty: text,
          lineTotal: amount,
          taxes,
          unitNetPrice: amount,
          extendedUnitNetPrice: amount,
          unitGrossPrice: amount,
          qtyUom: text,
          stockPool: text,
          extendedAttributes: attributeList,
        },
      }),
    ),
    distributionCentre: text,
    carrierCode: text,
    shipAfter: text,
    shipBy: text,
    deliverBy: text,
    extendedAttributes: attributeList,
  },
});

export type OrderRequest = ValueOf<typeof orderRequestShape>;
export type AddressElement = NonNullable<OrderRequest["shipToAddress"]>;
export type AmountElement = NonNullable<OrderRequest["totalPrice"]>;
export type LineElement = NonNullable<OrderRequest["lines"]>[number];
