import Type, { type Static } from "typebox";
import { clientIdParameter, identifier, newIdentifier, positiveQuantity } from "#/http/routes/schema.ts";
import { order } from "#/modules/orders/rest/contract.ts";

/** Request bodies that change orders (contract rest.md §3, lifecycle.md §1). Lengths are those of the NO feed. */
const closed = { additionalProperties: false } as const;

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
      description: "Country code of ISO 3166-1, two or three letters; kept as two.",
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
    "What is to be another in the address: what is left out stays, null takes away. address1, city and country cannot be taken away.",
});

export const orderPatch = Type.Object(
  {
    clientId: clientIdParameter,
    shipToAddress: Type.Optional(addressPatch),
    billToAddress: clearable<Static<typeof addressPatch>>("object", addressPatch),
    shippingMethod: clearableName("Shipping method.", "EXPRESS"),
    carrierCode: clearableIdentifier("Carrier that the client chooses; null lets one be determined.", "RM"),
    doNotShip: clearable<boolean>("boolean", {
      description: "true holds the order (DO_NOT_SHIP), false or null lifts that hold.",
      examples: [false],
    }),
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
        "Attributes by name: what is not named stays, null takes away. Priority is the field priority; ShipPartial and Revision are the feed's.",
      examples: [{ GiftMessage: "Happy birthday", WebOrderId: null }],
    }),
  },
  { ...closed, title: "OrderPatch", description: "JSON merge patch (RFC 7396) of an order." },
);

const wanted = (description: string) =>
  positiveQuantity(`${description} At most three decimals; whole where the stock unit is EA.`, 1);

const cancelReason = Type.String(
  name("Why: kept in the audit log, and the statusReason of an order of which nothing is left.", "Ordered twice"),
);

const holdReason = Type.String(name("Why: the reason of the hold.", "Address is being asked for"));

export const orderCancel = Type.Object(
  { clientId: clientIdParameter, reason: cancelReason },
  { ...closed, title: "OrderCancel", description: "Cancels an order, or what has not left of it." },
);

export const orderLineCancel = Type.Object(
  {
    clientId: clientIdParameter,
    qty: Type.Optional(wanted("How much of the line, in its stock unit; left out: all that has not left.")),
    reason: cancelReason,
  },
  { ...closed, title: "OrderLineCancel", description: "Cancels a line, or a part of it." },
);

export const orderLinePatch = Type.Object(
  { clientId: clientIdParameter, qty: wanted("Quantity that is wanted of the line now, in its stock unit.") },
  { ...closed, title: "OrderLinePatch", description: "JSON merge patch (RFC 7396) of a line of an order." },
);

export const orderHold = Type.Object(
  { clientId: clientIdParameter, reason: Type.Optional(holdReason) },
  { ...closed, title: "OrderHold", description: "Holds an order. May be left out." },
);

export const orderRelease = Type.Object(
  { clientId: clientIdParameter },
  { ...closed, title: "OrderRelease", description: "Releases an order. May be left out." },
);

export const orderCancellation = Type.Object(
  {
    outcome: Type.Enum(["CANCELLED", "REQUESTED"], {
      type: "string",
      description:
        "CANCELLED: it is done. REQUESTED: the warehouse has all or a part of it, and answers line by line; events and the order tell how.",
      examples: ["CANCELLED"],
    }),
    order,
  },
  { ...closed, title: "OrderCancellation", description: "What became of a cancellation, and the order as it is now." },
);

export const orderLinePath = Type.Object(
  {
    orderId: identifier("The order.", "WEB-100045"),
    lineNumber: Type.Integer({ minimum: 1, maximum: 999_999, description: "The line of it.", examples: [1] }),
  },
  closed,
);
