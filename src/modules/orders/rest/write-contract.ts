import Type, { type Static } from "typebox";
import { clientIdParameter, closed, identifier, newIdentifier, positiveQuantity } from "#/http/routes/schema.ts";
import { order } from "#/modules/orders/rest/contract.ts";

/** Request bodies that change orders (contract rest.md §3, lifecycle.md §1). Lengths are those of the NO feed. */
/** Starts with no blank, and contains no unprintable character, which XML cannot represent. */
const printable = "^[^\\s\\u0000-\\u001f\\u007f\\ufffe\\uffff][^\\u0000-\\u001f\\u007f\\ufffe\\uffff]*$";
/** As `printable`, with line breaks, as attributes may have them. */
const printableLines = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f\\ufffe\\uffff]*$";

const name = (description: string, example: string) => ({
  minLength: 1,
  maxLength: 255,
  pattern: printable,
  description,
  examples: [example],
});

/** In a merge patch null clears a value. `nullable` is for answers; the validator needs this form. */
const clearable = <Value>(type: string, field: object) =>
  Type.Optional(Type.Unsafe<Value | null>({ ...field, type: [type, "null"] }));

const clearableName = (description: string, example: string) => clearable<string>("string", name(description, example));

const clearableIdentifier = (description: string, example: string) =>
  clearable<string>("string", newIdentifier(description, example));

const addressFields = {
  addressId: clearableIdentifier("Identifier of the address.", "S-3302"),
  title: clearableName("Title of the person.", "Ms"),
  companyName: clearableName("Company.", "Muster UK Ltd"),
  department: clearableName("Department.", "Goods in"),
  firstName: clearableName("First name.", "Zoë"),
  lastName: clearableName("Last name.", "O’Neill"),
  address1: Type.Optional(Type.String(name("Street and number.", "12 Harbour Road"))),
  address2: clearableName("Second line.", "Unit 4"),
  city: Type.Optional(Type.String(name("City.", "Bristol"))),
  zip: clearableName("Postcode, in a format of the country.", "BS1 5TY"),
  state: clearableName("State, province or county.", "Avon"),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2,3}$",
      description: "Country code of ISO 3166-1, two or three letters; stored as two.",
      examples: ["GB"],
    }),
  ),
  phone: clearableName("Telephone number.", "+44 117 4960100"),
  mobile: clearableName("Mobile number.", "+44 7700 900100"),
  email: clearableName("Mail address.", "zoe.oneill@example.com"),
};

const addressPatch = Type.Object(addressFields, {
  ...closed,
  title: "AddressPatch",
  description:
    "Changes of the address: fields that are left out do not change, null removes one. address1, city and country cannot be removed.",
});

export const orderPatch = Type.Object(
  {
    clientId: clientIdParameter,
    shipToAddress: Type.Optional(addressPatch),
    billToAddress: clearable<Static<typeof addressPatch>>("object", addressPatch),
    shippingMethod: clearableName("Shipping method.", "EXPRESS"),
    carrierCode: clearableIdentifier("Carrier that the client chooses; null: it is determined.", "RM"),
    doNotShip: clearable<boolean>("boolean", {
      description: "true holds the order (DO_NOT_SHIP), false or null releases that hold.",
      examples: [false],
    }),
    distributionCentre: Type.Optional(
      identifier(
        "Another facility of the client: its stock is allocated, and the task of the present one withdrawn.",
        "DC2",
      ),
    ),
    priority: clearable<number>("integer", {
      minimum: 1,
      maximum: 9,
      description: "1 is served first, 9 last; null is 5.",
      examples: [3],
    }),
    extendedAttributes: clearable<Readonly<Record<string, string | null>>>("object", {
      additionalProperties: { type: ["string", "null"], maxLength: 4000, pattern: printableLines },
      maxProperties: 1_000,
      description:
        "Attributes by name: attributes that are not named do not change, null removes one. Priority is the field priority; ShipPartial and Revision can only be set by the feed.",
      examples: [{ GiftMessage: "Happy birthday", WebOrderId: null }],
    }),
  },
  { ...closed, title: "OrderPatch", description: "JSON merge patch (RFC 7396) of an order." },
);

const wanted = (description: string) =>
  positiveQuantity(`${description} At most three decimals; whole where the stock unit is EA.`, 1);

const cancelReason = Type.String(
  name("Reason; stored in the audit log and, when nothing of the order is left, in its statusReason.", "Ordered twice"),
);

const holdReason = Type.String(name("Reason of the hold.", "Address to be confirmed"));

export const orderCancel = Type.Object(
  { clientId: clientIdParameter, reason: cancelReason },
  { ...closed, title: "OrderCancel", description: "Cancels an order, or the units of it that have not left." },
);

export const orderLineCancel = Type.Object(
  {
    clientId: clientIdParameter,
    qty: Type.Optional(wanted("Quantity to cancel, in the stock unit; left out: all units that have not left.")),
    reason: cancelReason,
  },
  { ...closed, title: "OrderLineCancel", description: "Cancels a line, or a part of it." },
);

export const orderLinePatch = Type.Object(
  { clientId: clientIdParameter, qty: wanted("The new quantity of the line, in its stock unit.") },
  { ...closed, title: "OrderLinePatch", description: "JSON merge patch (RFC 7396) of a line of an order." },
);

export const orderHold = Type.Object(
  { clientId: clientIdParameter, reason: Type.Optional(holdReason) },
  { ...closed, title: "OrderHold", description: "Holds an order. Optional." },
);

export const orderRelease = Type.Object(
  { clientId: clientIdParameter },
  { ...closed, title: "OrderRelease", description: "Releases an order. Optional." },
);

export const orderUpdate = Type.Object(
  {
    ...order.properties,
    warnings: Type.Array(
      Type.String({
        description: "A sentence that starts with its code.",
        examples: [
          "[SHIPPING_METHOD] shippingMethod: 'STD' means STANDARD, and carrier DPD has no such service: packing will find none and hold the order",
        ],
      }),
      { description: "Warnings of a changed shippingMethod or carrierCode, as of the NO feed." },
    ),
  },
  { ...closed, title: "OrderUpdate", description: "The order after a change." },
);

export const orderCancellation = Type.Object(
  {
    outcome: Type.Enum(["CANCELLED", "REQUESTED"], {
      type: "string",
      description:
        "CANCELLED: done. REQUESTED: the warehouse has all or a part of it, and answers line by line; events and the order show the result.",
      examples: ["REQUESTED"],
    }),
    order,
  },
  { ...closed, title: "OrderCancellation", description: "The result of a cancellation, and the order after it." },
);

export const orderLinePath = Type.Object(
  {
    orderId: identifier("The order.", "WEB-100045"),
    lineNumber: Type.Integer({ minimum: 1, maximum: 999_999, description: "Its line.", examples: [1] }),
  },
  closed,
);
