/** A shipment in whole numbers: read once from a request, then checked with any data. */
import type { WorkingCalendar } from "#/kernel/values/working-calendar.ts";
import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { Money } from "#/modules/carriers/data/rule-contract.ts";
import type { Amount } from "#/modules/carriers/decision/money.ts";

/** The sending facility, with the fields that a decision needs. */
export interface ShippingFacility extends WorkingCalendar {
  readonly facilityCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export const strategies = ["CHEAPEST", "FASTEST", "BALANCED"] as const;
export type Strategy = (typeof strategies)[number];

/** A request (carriers.md, Request). Amounts with at most four decimals, measures with at most three. */
export interface DeterminationRequest {
  readonly clientId?: string | undefined;
  readonly distributionCentre: string;
  readonly shipTo: {
    readonly country: string;
    readonly zip?: string | undefined;
    readonly state?: string | undefined;
    readonly city?: string | undefined;
    readonly isResidential?: boolean | undefined;
  };
  readonly parcels: readonly ParcelRequest[];
  readonly serviceLevel?: ServiceLevel | undefined;
  /** A service that a shippingMethod stands for; clients cannot send it. */
  readonly requestedServiceCode?: string | undefined;
  /** A carrier, an alias, or a carrier that the data do not know. */
  readonly requestedCarrierCode?: string | undefined;
  /** A day (`YYYY-MM-DD`), or a moment (ISO 8601), which is converted to the facility's local day. */
  readonly shipDate?: string | undefined;
  readonly deliverBy?: string | undefined;
  /** Where no service is in time, the best of the others is chosen. Of orders; clients cannot send it. */
  readonly isDeliverByPreferred?: boolean | undefined;
  readonly isHazmat?: boolean | undefined;
  readonly isBulky?: boolean | undefined;
  readonly signatureRequired?: boolean | undefined;
  readonly incoterm?: string | undefined;
  /** Of goods that a consumer in the European Union imports, for the flat duty. Clients cannot send it. */
  readonly tariffLines?: number | undefined;
  readonly orderValue?: Money | undefined;
  readonly extendedAttributes?: Readonly<Record<string, string>> | undefined;
  readonly strategy?: Strategy | undefined;
}

export interface ParcelRequest {
  readonly weight: number;
  /** Omitted: KG. */
  readonly weightUomCode?: string | undefined;
  readonly length?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Omitted: CM. */
  readonly dimensionsUomCode?: string | undefined;
  readonly declaredValue?: Money | undefined;
  readonly items?: unknown;
}

export interface Parcel {
  /** Grams. */
  readonly weight: number;
  /** Thousandths of a centimetre; 0 if no side is known. */
  readonly longestSide: number;
  /** Millionths of a cubic centimetre, rounded up; 0 unless all three sides are known. */
  readonly volume: number;
  readonly declaredValue: Amount | undefined;
}

export interface Shipment {
  readonly facility: ShippingFacility;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** In the form that zones compare; empty if there is none. */
  readonly zip: string;
  readonly isResidential: boolean;
  readonly parcels: readonly Parcel[];
  /** Of all parcels, in grams. */
  readonly weight: number;
  /** Of the heaviest parcel, in grams. */
  readonly heaviest: number;
  /** Of all parcels, in thousandths of a centimetre; 0 if none is known. */
  readonly longestSide: number;
  readonly serviceLevel: ServiceLevel | undefined;
  readonly requestedServiceCode: string | undefined;
  readonly requestedCarrierCode: string | undefined;
  /** Days since 1970-01-01. */
  readonly shipDate: number | undefined;
  readonly deliverBy: number | undefined;
  readonly isHazmat: boolean;
  readonly isBulky: boolean;
  readonly signatureRequired: boolean;
  /** In capitals. */
  readonly incoterm: string | undefined;
  readonly tariffLines: number | undefined;
  readonly orderValue: Amount | undefined;
  readonly extendedAttributes: ReadonlyMap<string, string>;
  readonly strategy: Strategy;
}
