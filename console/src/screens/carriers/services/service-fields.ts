import { enumerations } from "../../../enumerations.ts";
import type { Field } from "../../../parts/fields.tsx";
import { wordOf } from "../../../parts/tones.ts";

const levels = enumerations.ServiceLevel;
const weekdays = enumerations.Weekday;

/** The form of a service, in the order of its inputs. */
export const serviceFields: readonly Field[] = [
  {
    name: "code",
    label: "Code",
    isRequired: true,
    placeholder: "RM48",
    description: "Unique. Its price matrices follow a new code.",
  },
  { name: "carrierCode", label: "Carrier", isRequired: true, placeholder: "RM" },
  { name: "name", label: "Name", isRequired: true, placeholder: "Tracked 48" },
  {
    name: "serviceLevel",
    label: "Level",
    kind: "select",
    isRequired: true,
    options: levels.map((value) => ({ value, label: wordOf(value) })),
  },
  {
    name: "countries",
    label: "Delivers to",
    placeholder: "GB, IE",
    description: "Countries of ISO 3166-1; empty: everywhere.",
  },
  {
    name: "transitDays",
    label: "Transit days",
    kind: "lines",
    placeholder: "DOMESTIC 2",
    description: "One line for each zone: its code and its days.",
  },
  { name: "maxWeightKg", label: "Up to kg", kind: "number" },
  { name: "maxLongestSideCm", label: "Longest side up to cm", kind: "number" },
  { name: "dimensionalDivisor", label: "Divisor of the volumetric weight", kind: "number", placeholder: "5000" },
  { name: "maxDeclaredValue", label: "Parcel worth up to", placeholder: "100 GBP" },
  { name: "hazmat", label: "Hazardous goods", kind: "switch" },
  { name: "bulky", label: "Bulky goods", kind: "switch" },
  { name: "signature", label: "Signature", kind: "switch" },
  { name: "trackable", label: "Tracked", kind: "switch" },
  { name: "postal", label: "Postal service", kind: "switch", description: "CN22 or CN23 across a customs border." },
  {
    name: "cn22MaxValue",
    label: "CN22 up to",
    placeholder: "270 GBP",
    description: "Of a postal service; empty: 300 XDR.",
  },
  { name: "trackingUrl", label: "Tracking page", placeholder: "https://track.example/{trackingNumber}" },
  {
    name: "cutOff",
    label: "Last collection",
    kind: "lines",
    placeholder: "DC1 17:00",
    description: "One line for each facility: its code and the time; empty: the facility's cut-off.",
  },
  {
    name: "pickUpDays",
    label: "Collects on",
    kind: "lines",
    placeholder: "DC1 MON TUE WED",
    description: "One line for each facility: its code and the days; empty: its operating days.",
  },
  {
    name: "deliveryDays",
    label: "Delivers on",
    kind: "several",
    description: "Empty: Monday to Saturday.",
    options: weekdays.map((value) => ({ value, label: value })),
  },
  { name: "activeFrom", label: "Offered from", kind: "date" },
  { name: "activeTo", label: "Offered until", kind: "date" },
];
