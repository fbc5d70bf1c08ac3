import Type, { type Static } from "typebox";
import { closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";

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
  shortPick: "Pick line: a unit is not found.",
  damage: "Received or returned line: some units are damaged.",
  overReceipt: "Received line: more units than ordered.",
  lateCarrier: "Parcel: the carrier is late.",
  carrierException: "Parcel: the addressee is not at home at the first attempt.",
  lostParcel: "Parcel: the carrier loses it.",
  refusedReport: "Order: its first pick is reported wrongly, and refused.",
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
  { ...closed, title: "SandboxFaults", description: "Rates of faults: 0 never, 1 always." },
);

export type FaultRates = Static<typeof faultRates>;

const faultPatch = Type.Partial(faultRates, {
  ...closed,
  description: "New rates; rates that are left out do not change.",
});

const speed = { description: "Factor of the usual pace; 0 stops it.", examples: [10] };
const speedMax = 1_000;

const names = (description: string, example: string) =>
  Type.Array(identifier("One of them.", example), { maxItems: 1_000, description });

const inHand = Type.Object(
  {
    kind: Type.Enum(["order", "parcel", "PURCHASE_ORDER", "RETURN", "WORK_ORDER", "TRANSFER", "COUNT"], {
      type: "string",
      description: "Kind of the object.",
      examples: ["order"],
    }),
    clientId: Type.String({ description: "Client of the object.", examples: ["DEMO"] }),
    objectId: Type.String({ description: "Its number; for a parcel its OLPN.", examples: ["WEB-100045"] }),
    orderId: maybeText("For a parcel: its order.", "WEB-100045"),
    next: maybeText("The next step; a number is a code of the carrier. Null while it waits or is held.", "pack"),
    dueAt: nullable(moment("When the step happens automatically.")),
    isByHand: Type.Boolean({ description: "The step happens only on request.", examples: [false] }),
  },
  { ...closed, title: "SandboxWork", description: "An object in progress in the simulated warehouse." },
);

const sentReport = Type.Object(
  {
    at: moment("When it was sent."),
    clientId: Type.String({ description: "Client of the object.", examples: ["DEMO"] }),
    objectId: Type.String({ description: "The object.", examples: ["WEB-100045"] }),
    action: Type.String({ description: "The report.", examples: ["pack"] }),
    outcome: Type.Enum(["TAKEN", "REFUSED", "FAILED"], {
      type: "string",
      description: "Answer of the port.",
      examples: ["TAKEN"],
    }),
    reason: maybeText("Reason of the refusal.", "Order WEB-1 is on hold."),
  },
  { ...closed, title: "SandboxReport", description: "A report to the warehouse port." },
);

const facility = Type.Object(
  {
    facilityCode: Type.String({ description: "The facility.", examples: ["DC1"] }),
    isSilent: Type.Boolean({ description: "It neither reads its tasks nor reports.", examples: [false] }),
    seenAt: moment("Time of the last report of the simulated warehouse about its state."),
    inHand: Type.Integer({ description: "Objects in progress.", examples: [12] }),
    jobs: Type.Array(inHand, { description: "The next ones, at most 60." }),
    reports: Type.Array(sentReport, { description: "The latest, the newest first, at most 40." }),
  },
  { ...closed, title: "SandboxFacility", description: "A facility of the simulated warehouse." },
);

export const sandbox = Type.Object(
  {
    isOn: Type.Boolean({ description: "A simulated warehouse is running.", examples: [true] }),
    speed: Type.Number(speed),
    faults: faultRates,
    byHand: names("Clients whose objects are stepped manually.", "LUMEN"),
    silent: names("Facilities that are silent.", "DC2"),
    changedAt: nullable(moment("When a user last changed the settings; null: as configured.")),
    changedBy: maybeText("Who did.", "user:anna"),
    facilities: Type.Array(facility, { description: "Activity by facility code." }),
  },
  { ...closed, title: "Sandbox", description: "The simulated warehouse: its settings and its activity." },
);

export type SandboxRecord = Static<typeof sandbox>;

export const sandboxPatch = Type.Object(
  {
    speed: Type.Optional(Type.Number({ ...speed, minimum: 0, maximum: speedMax })),
    faults: Type.Optional(faultPatch),
    byHand: Type.Optional(names("Clients whose objects are stepped manually; replaces the present list.", "LUMEN")),
    silent: Type.Optional(names("Facilities that are silent; replaces the present list.", "DC2")),
  },
  {
    ...closed,
    title: "SandboxPatch",
    description: "JSON merge patch (RFC 7396): fields that are left out do not change.",
  },
);

export type SandboxPatch = Static<typeof sandboxPatch>;

export const stepEnds = ["accept", "pick", "pack", "load", "despatch", "deliver", "receive", "take back"] as const;

export const sandboxStep = Type.Object(
  {
    clientId: Type.Optional(identifier("Client of the object; required with objectId.", "DEMO")),
    objectId: Type.Optional(
      identifier(
        "An order, purchase order, return, work order, transfer or parcel; left out: the next object.",
        "WEB-100045",
      ),
    ),
    facilityCode: Type.Optional(identifier("Facility; left out: any.", "DC1")),
    until: Type.Optional(
      Type.Enum([...stepEnds], {
        type: "string",
        description: "Last step to perform; left out: one step.",
        examples: ["despatch"],
      }),
    ),
  },
  { ...closed, title: "SandboxStep", description: "The step to perform." },
);

export const sandboxStepped = Type.Object(
  {
    done: Type.Array(Type.String({ description: "A step.", examples: ["pack"] }), {
      description: "The performed steps, in order; empty where no step was possible.",
    }),
    reason: nullable(
      Type.Enum(["NOTHING_TO_DO", "REFUSED", "SILENT", "NO_ANSWER"], {
        type: "string",
        description: "Why it stopped.",
        examples: ["NOTHING_TO_DO"],
      }),
    ),
    text: maybeText("Answer of the port to a refused report.", "Order 1 is on hold."),
  },
  { ...closed, title: "SandboxStepped", description: "The result." },
);

export type SandboxStepped = Static<typeof sandboxStepped>;
