import Type, { type Static } from "typebox";
import { identifier, moment, nullable } from "#/http/routes/schema.ts";

const closed = { additionalProperties: false } as const;

/** The faults of the simulated warehouse; the rate of each sets how often it occurs. */
export const faultNames = [
  "shortPick",
  "damage",
  "overReceipt",
  "lateCarrier",
  "carrierException",
  "lostParcel",
  "refusedReport",
] as const;

const meaning: Readonly<Record<(typeof faultNames)[number], string>> = {
  shortPick: "Of a pick line: a unit is not found.",
  damage: "Of a received or returned line: some of it is damaged.",
  overReceipt: "Of a received line: there is more of it than was ordered.",
  lateCarrier: "Of a parcel: the carrier is late.",
  carrierException: "Of a parcel: nobody is at home at first.",
  lostParcel: "Of a parcel: the carrier loses it.",
  refusedReport: "Of an order: its first pick is reported wrongly, and refused.",
};

const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description, examples: [0.05] });

export const faultRates = Type.Object(
  {
    shortPick: rate(meaning.shortPick),
    damage: rate(meaning.damage),
    overReceipt: rate(meaning.overReceipt),
    lateCarrier: rate(meaning.lateCarrier),
    carrierException: rate(meaning.carrierException),
    lostParcel: rate(meaning.lostParcel),
    refusedReport: rate(meaning.refusedReport),
  },
  { ...closed, title: "SandboxFaults", description: "How often each thing goes wrong: 0 never, 1 always." },
);

export type FaultRates = Static<typeof faultRates>;

const faultPatch = Type.Partial(faultRates, { ...closed, description: "Rates from now on; the others stay." });

const speed = { description: "Times the usual pace; 0 stands still.", examples: [10] };
const speedMax = 1_000;

const names = (description: string, example: string) =>
  Type.Array(identifier("One of them.", example), { maxItems: 1_000, description });

const inHand = Type.Object(
  {
    kind: Type.Enum(["order", "parcel", "PURCHASE_ORDER", "RETURN", "WORK_ORDER"], {
      type: "string",
      description: "What it is.",
      examples: ["order"],
    }),
    clientId: Type.String({ description: "Whose it is.", examples: ["DEMO"] }),
    objectId: Type.String({ description: "Its number; of a parcel its OLPN.", examples: ["WEB-100045"] }),
    orderId: nullable(Type.String({ description: "Of a parcel: its order.", examples: ["WEB-100045"] })),
    next: nullable(
      Type.String({
        description: "What is done next; a number is a code of the carrier. Null while it waits or is held.",
        examples: ["pack"],
      }),
    ),
    dueAt: nullable(moment("When that is done by itself.")),
    isByHand: Type.Boolean({ description: "It is done when it is stepped, and not before.", examples: [false] }),
  },
  { ...closed, title: "SandboxWork", description: "Something that the simulated warehouse has in hand." },
);

const sentReport = Type.Object(
  {
    at: moment("When it was sent."),
    clientId: Type.String({ description: "Whose it is about.", examples: ["DEMO"] }),
    objectId: Type.String({ description: "What it is about.", examples: ["WEB-100045"] }),
    action: Type.String({ description: "What was reported.", examples: ["pack"] }),
    outcome: Type.Enum(["TAKEN", "REFUSED", "FAILED"], {
      type: "string",
      description: "What the port said to it.",
      examples: ["TAKEN"],
    }),
    reason: nullable(Type.String({ description: "Why it was not taken.", examples: ["Order WEB-1 is on hold."] })),
  },
  { ...closed, title: "SandboxReport", description: "A report to the warehouse port." },
);

const facility = Type.Object(
  {
    facilityCode: Type.String({ description: "The facility.", examples: ["DC1"] }),
    isSilent: Type.Boolean({ description: "It neither reads its tasks nor reports.", examples: [false] }),
    seenAt: moment("When the simulated warehouse last said what it does."),
    inHand: Type.Integer({ description: "Objects in hand.", examples: [12] }),
    jobs: Type.Array(inHand, { description: "Those that are next, at most 60." }),
    reports: Type.Array(sentReport, { description: "The latest, the newest first, at most 40." }),
  },
  { ...closed, title: "SandboxFacility", description: "A facility of the simulated warehouse." },
);

export const sandbox = Type.Object(
  {
    isOn: Type.Boolean({ description: "A simulated warehouse is at work.", examples: [true] }),
    speed: Type.Number(speed),
    faults: faultRates,
    byHand: names("Clients whose work is done when it is stepped, and not before.", "LUMEN"),
    silent: names("Facilities that are not worked.", "DC2"),
    changedAt: nullable(moment("When somebody last changed the settings; null: they are as configured.")),
    changedBy: nullable(Type.String({ description: "Who did.", examples: ["user:anna"] })),
    facilities: Type.Array(facility, { description: "What goes on where, by facility code." }),
  },
  { ...closed, title: "Sandbox", description: "The simulated warehouse: how it works, and what it is doing." },
);

export type SandboxRecord = Static<typeof sandbox>;

export const sandboxPatch = Type.Object(
  {
    speed: Type.Optional(Type.Number({ ...speed, minimum: 0, maximum: speedMax })),
    faults: Type.Optional(faultPatch),
    byHand: Type.Optional(names("Clients that are worked by hand; takes the place of the list before.", "LUMEN")),
    silent: Type.Optional(names("Facilities that are not worked; takes the place of the list before.", "DC2")),
  },
  { ...closed, title: "SandboxPatch", description: "JSON merge patch (RFC 7396): what is left out stays." },
);

export type SandboxPatch = Static<typeof sandboxPatch>;

export const stepEnds = ["accept", "pick", "pack", "load", "despatch", "deliver", "receive", "take back"] as const;

export const sandboxStep = Type.Object(
  {
    clientId: Type.Optional(identifier("Whose work; required with objectId.", "DEMO")),
    objectId: Type.Optional(
      identifier("An order, purchase order, return, work order or parcel; left out: whatever is next.", "WEB-100045"),
    ),
    facilityCode: Type.Optional(identifier("Where; left out: wherever it is.", "DC1")),
    until: Type.Optional(
      Type.Enum([...stepEnds], {
        type: "string",
        description: "Step after step up to this one; left out: one step.",
        examples: ["despatch"],
      }),
    ),
  },
  { ...closed, title: "SandboxStep", description: "What is to be done now." },
);

export const sandboxStepped = Type.Object(
  {
    done: Type.Array(Type.String({ description: "A step.", examples: ["pack"] }), {
      description: "What was done, in its order; empty where there was nothing to do.",
    }),
    reason: nullable(
      Type.Enum(["NOTHING_TO_DO", "REFUSED", "SILENT", "NO_ANSWER"], {
        type: "string",
        description: "Why nothing more was done.",
        examples: ["NOTHING_TO_DO"],
      }),
    ),
    text: nullable(
      Type.String({ description: "What the port said to a refused report.", examples: ["Order 1 is on hold."] }),
    ),
  },
  { ...closed, title: "SandboxStepped", description: "What came of it." },
);

export type SandboxStepped = Static<typeof sandboxStepped>;
