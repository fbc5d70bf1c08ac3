// A label source as operators set it up (contract carriers.md, Label sources).
import Type, { type Static } from "typebox";
import { closed, newIdentifier } from "#/http/routes/schema.ts";

export const sourceKinds = ["HTTP", "EASYPOST", "SHIPPO", "SHIPSTATION", "KARRIO"] as const;

/** The label of the platform (own data, no purchase), as a service names it after other sources. */
export const ownSource = "OWN";

const path = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*$",
  description: "Path into the answer; digits count the elements of a list from 0.",
  examples: ["labels.0.tracking_number"],
});
const read = (description: string) =>
  Type.Optional(
    Type.Array(path, { minItems: 1, maxItems: 5, description: `${description} The first path with a value counts.` }),
  );

const comparison = (description: string) =>
  Type.Object(
    {
      field: path,
      op: Type.Enum(["eq", "ne", "in", "notIn", "exists"], {
        type: "string",
        description: "As in the rules of carrier data.",
        examples: ["in"],
      }),
      value: Type.Unsafe<unknown>({ description: "A value, or a list for in and notIn.", examples: [["SUCCESS"]] }),
    },
    { ...closed, title: "LabelAnswerCondition", description },
  );

const requestOfCall = {
  method: Type.Enum(["GET", "POST", "PUT", "DELETE"], {
    type: "string",
    title: "LabelCallMethod",
    description: "Method.",
    examples: ["POST"],
  }),
  path: Type.String({
    maxLength: 500,
    pattern: "^/[!-~]*$",
    description: "Path and query below the URL of the source, with placeholders.",
    examples: ["/labels/{purchase.externalId}/void"],
  }),
  headers: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: "object",
      additionalProperties: { type: "string", maxLength: 500 },
      maxProperties: 10,
      description: "Further headers, with placeholders.",
      examples: [{ "Idempotency-Key": "{purchase.key}" }],
    }),
  ),
  body: Type.Optional(
    Type.Unsafe<unknown>({
      description: "The JSON body, with placeholders.",
      examples: [{ reference: "{purchase.key}", to: "{to}" }],
    }),
  ),
};

const call = Type.Object(
  {
    ...requestOfCall,
    entry: Type.Optional(
      Type.Object(
        { list: path, field: path, value: Type.Optional(path) },
        {
          ...closed,
          title: "LabelAnswerEntry",
          description:
            "The answer is a list: its element is read whose field is the key, or the value at the path `value` of the placeholders, or a list that has it; without such an element there is no purchase or manifest.",
        },
      ),
    ),
    succeeds: Type.Optional(
      comparison("The answer reports success only if it holds; left out: each answer of 200 to 299 does."),
    ),
    isPending: Type.Optional(
      comparison("The answer reports that the result follows: the purchase is looked up later."),
    ),
    answer: Type.Optional(
      Type.Object(
        {
          externalId: read("Id of the purchase or manifest at the source."),
          trackingNumber: read("Tracking number."),
          trackingUrl: read("Tracking page of the parcel."),
          label: read("The label, or the document of the manifest: PDF or PNG in base64, or ZPL."),
          labelUrl: read("Where it is fetched, from the root of the source if it is a path."),
          price: read("Price."),
          currency: read("Its currency."),
          error: read("Why the source refuses."),
        },
        { ...closed, title: "LabelAnswerPaths", description: "Where the answer has its values." },
      ),
    ),
  },
  { ...closed, title: "LabelSourceCall", description: "A request and how its answer is read." },
);
export type SourceCall = Static<typeof call>;

const verifyCall = Type.Object(
  {
    ...requestOfCall,
    undeliverable: comparison("Nothing can be delivered to the address."),
    doubtful: Type.Optional(comparison("Something may be wrong with the address.")),
    deliverable: comparison(
      "The address can be delivered to. An answer for which none of the three holds counts as no answer.",
    ),
    answer: Type.Optional(
      Type.Object(
        {
          address1: read("Street and number as the verifier writes them."),
          address2: read("Second line."),
          city: read("City."),
          zip: read("Postcode."),
          state: read("State."),
          reason: read("Why the address is doubtful or undeliverable, without the address."),
        },
        { ...closed, title: "VerifiedAddressPaths", description: "Where the answer has its values." },
      ),
    ),
  },
  {
    ...closed,
    title: "AddressVerifyCall",
    description: "A request that verifies the address {to}, and how its answer is read.",
  },
);
export type VerifyCall = Static<typeof verifyCall>;

const trackCall = Type.Object(
  {
    ...requestOfCall,
    everyMinutes: Type.Optional(
      Type.Integer({
        minimum: 15,
        maximum: 1_440,
        description: "Distance of the requests for a parcel; left out: 120.",
        examples: [120],
      }),
    ),
    events: path,
    codes: Type.Array(path, {
      minItems: 1,
      maxItems: 5,
      description: "Codes of an event, the most exact one first, by paths into it.",
    }),
    at: path,
    text: Type.Optional(path),
    place: Type.Optional(Type.Array(path, { maxItems: 5, description: "Parts of the place of an event." })),
  },
  {
    ...closed,
    title: "TrackCall",
    description:
      "A request for the events of a parcel, and where its answer has them: a list, and paths into each event.",
  },
);
export type TrackCall = Static<typeof trackCall>;

/** The calls of a source; those of the kinds that the program knows are given. */
export const sourceCalls = Type.Object(
  {
    rate: Type.Optional(call),
    buy: Type.Optional(call),
    lookUp: Type.Optional(call),
    void: Type.Optional(call),
    manifest: Type.Optional(call),
    manifestLookUp: Type.Optional(call),
    pickup: Type.Optional(call),
    test: Type.Optional(call),
    verify: Type.Optional(verifyCall),
    track: Type.Optional(trackCall),
  },
  {
    ...closed,
    title: "LabelSourceCalls",
    description:
      "rate asks for the price of a parcel, whose answer has price and currency; buy buys a label; lookUp finds a purchase by its key after a lost answer; void gives it back; manifest makes the manifest of the parcels that leave, and manifestLookUp finds it after a lost answer; pickup books the collection of a manifest that was made; test proves address and secrets; verify asks whether an address can be delivered to; track asks where a parcel is.",
  },
);
export type SourceCalls = Static<typeof sourceCalls>;

export const sourceDefinition = Type.Object(
  {
    timeoutSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        description: "Longest wait for an answer; left out: 15.",
        examples: [15],
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 32,
        description: "Purchases at a time and worker; left out: 4.",
        examples: [4],
      }),
    ),
    attemptsMax: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: "Attempts before the next source; left out: 5.",
        examples: [5],
      }),
    ),
    services: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({
        type: "object",
        additionalProperties: { type: "object", additionalProperties: true, maxProperties: 20 },
        maxProperties: 500,
        description:
          "Settings by code of the service, which templates read as {service.NAME}, such as its name at the source. Those of * hold for all services.",
        examples: [{ RM48: { carrier_account: "ca_7642", service: "RoyalMail48" } }],
      }),
    ),
    calls: Type.Optional(sourceCalls),
  },
  { ...closed, title: "LabelSourceDefinition", description: "How the source is called." },
);
export type SourceDefinition = Static<typeof sourceDefinition>;

export const sourceCode = newIdentifier("Code of the source, as services of the carrier data name it.", "EASYPOST-EU");
