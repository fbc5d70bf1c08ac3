import Type, { type Static } from "typebox";
import { credential, oauthPart } from "#/console-api/clients/client-contract.ts";
import { facilitySettingChanges, setting } from "#/console-api/clients/setting-record.ts";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, text } from "#/http/routes/schema.ts";

/** Facilities as the operator maintains them, and the credentials of the warehouse port (operations.md §2). */
const summaryFields = {
  facilityCode: text("Code of the facility.", "DC1"),
  name: text("Display name.", "London Gateway"),
  country: text("Country code of ISO 3166-1, two letters.", "GB"),
  timezone: text("IANA time zone.", "Europe/London"),
  cutOffTime: maybeText("Local time until which orders leave the same day; null: none.", "17:00"),
  status: Type.Enum(["ACTIVE", "CLOSED"], {
    type: "string",
    title: "FacilityStatus",
    description: "CLOSED: clients see that nothing more should be sent there.",
    examples: ["ACTIVE"],
  }),
  createdAt: moment("When it was created."),
  version: Type.Integer({ description: "Counts up with every change.", examples: [1] }),
};

const facilitySummary = Type.Object(summaryFields, {
  ...closed,
  title: "FacilitySummary",
  description: "A place that stores and ships goods.",
});

export type FacilitySummary = Static<typeof facilitySummary>;

export const facilitySummaryPage = pageOf(facilitySummary, "Facilities, by their codes.");

export const facilityListQuery = Type.Object({ ...pageParameters }, closed);

/** A page starts after this facility. */
export const facilityCursor = defineCursor("facilityDirectory", Type.Object({ code: placeText() }, closed));

export const facilityDetail = Type.Object(
  { ...summaryFields, settings: Type.Array(setting, { description: "Every setting." }) },
  { ...closed, title: "FacilityDetail", description: "A facility with its settings." },
);

export type FacilityDetail = Static<typeof facilityDetail>;

export const facilityPath = Type.Object({ facilityCode: identifier("The facility.", "DC1") }, closed);

const name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "Display name.",
  examples: ["London Gateway"],
});

export const facilityCreate = Type.Object(
  {
    facilityCode: identifier("1 to 10 letters, digits, `_` or `-`; unique ignoring case. It cannot be changed.", "DC1"),
    name,
    country: identifier("Country code of ISO 3166-1, two or three letters.", "GB"),
    timezone: identifier("IANA time zone.", "Europe/London"),
    settings: Type.Optional(facilitySettingChanges),
  },
  { ...closed, title: "FacilityCreate", description: "A facility to create." },
);

export const facilityPatch = Type.Object(
  { name: Type.Optional(name), settings: Type.Optional(facilitySettingChanges) },
  { ...closed, title: "FacilityPatch", description: "Changes. Fields that are left out do not change." },
);

const portCredential = Type.Object(
  {
    ...credential.properties,
    facilityCode: maybeText("The facility of the warehouse system.", "DC1"),
    carrierCode: maybeText("The carrier whose events it reports.", "NORTHWAY"),
  },
  { ...closed, title: "PortCredential", description: "A credential of the warehouse port." },
);

export const portCredentialPage = pageOf(portCredential, "Credentials of the warehouse port, the newest first.");

export const portCredentialQuery = Type.Object(
  {
    facilityCode: Type.Optional(identifier("Only credentials of this facility.", "DC1")),
    ...pageParameters,
  },
  closed,
);

/** A page starts after this credential. */
export const portCredentialCursor = defineCursor("portCredentials", Type.Object({ id: placeText() }, closed));

export const warehouseRequest = Type.Object(
  { facilityCode: identifier("The facility of the warehouse system.", "DC1") },
  { ...closed, title: "WarehouseCredentialRequest", description: "A credential for a warehouse system." },
);

export const warehouseCredential = Type.Object(
  { facilityCode: text("The facility.", "DC1"), oauth: oauthPart },
  { ...closed, title: "WarehouseCredential", description: "It is shown only now." },
);

export const carrierRequest = Type.Object(
  { carrierCode: identifier("The carrier's code, as orders and parcels name it.", "NORTHWAY") },
  {
    ...closed,
    title: "CarrierCredentialRequest",
    description: "A credential with which a carrier reports its events.",
  },
);

export const carrierCredential = Type.Object(
  { carrierCode: text("The carrier.", "NORTHWAY"), oauth: oauthPart },
  { ...closed, title: "CarrierCredential", description: "It is shown only now." },
);
