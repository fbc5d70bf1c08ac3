import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText } from "#/http/routes/schema.ts";
import { weekdays } from "#/kernel/values/working-calendar.ts";
import { facilityStatuses } from "#/modules/facilities/settings.ts";

/**
 * The Facility record of the REST services (contract rest.md §4). Every field is always present; an unknown value is
 * `null`.
 */
const address = Type.Object(
  {
    companyName: maybeText("Company at the address.", "London Gateway Logistics Ltd"),
    address1: maybeText("Street and number.", "1 Gateway Park"),
    address2: maybeText("Second line.", "Gate 4"),
    city: maybeText("City.", "Stanford-le-Hope"),
    zip: maybeText("Postcode.", "SS17 9DY"),
    state: maybeText("State, province or county.", "Essex"),
    country: Type.String({ description: "Country code of ISO 3166-1, two letters.", examples: ["GB"] }),
    phone: maybeText("Telephone number.", "+44 1375 000000"),
    email: maybeText("Mail address.", "dc1@example.com"),
  },
  { ...closed, title: "FacilityAddress", description: "Its address." },
);

const holiday = Type.Object(
  {
    date: Type.String({ format: "date", description: "The day, by its calendar.", examples: ["2026-12-25"] }),
    name: maybeText("Its name.", "Christmas Day"),
  },
  { ...closed, title: "Holiday", description: "A day without despatches." },
);

export const facility = Type.Object(
  {
    facilityCode: identifier("Code of the facility: the distributionCentre of feeds and orders.", "DC1"),
    name: Type.String({ description: "Display name.", examples: ["London Gateway"] }),
    address,
    timezone: Type.String({ description: "IANA time zone.", examples: ["Europe/London"] }),
    cutOffTime: maybeText(
      "Local time, HH:MM: orders accepted until then on an operating day leave that day, later ones on the next. Null: orders have no due time.",
      "17:00",
    ),
    operatingDays: Type.Array(
      Type.Enum([...weekdays], {
        type: "string",
        title: "Weekday",
        description: "Day of the week.",
        examples: ["MON"],
      }),
      { description: "Days with despatches, from Monday on." },
    ),
    holidays: Type.Array(holiday, { description: "Days without despatches, by date." }),
    capabilities: Type.Array(Type.String({ description: "A capability.", examples: ["COLD_CHAIN"] }), {
      description: "Its capabilities, in alphabetical order, in words of the operator.",
    }),
    status: Type.Enum([...facilityStatuses], {
      type: "string",
      title: "FacilityStatus",
      description:
        "ACTIVE, or CLOSED: nothing more should be sent there. It informs the client: documents that name a closed facility are validated like others while the client may use it.",
      examples: ["ACTIVE"],
    }),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
  },
  { ...closed, title: "Facility", description: "A place that stores and ships goods." },
);

export type FacilityRecord = Static<typeof facility>;

export const facilityPage = pageOf(facility, "Facilities of the client, in routing order.");

export const facilityPath = Type.Object({ facilityCode: identifier("The facility.", "DC1") }, closed);

export const facilityQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const facilityListQuery = Type.Object({ clientId: clientIdParameter, ...pageParameters }, closed);

/** Position in the routing order. */
export const facilityCursors = defineCursor(
  "facilities",
  Type.Object({ position: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) }),
);
