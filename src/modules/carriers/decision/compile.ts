import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { type ServiceLevel, serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import type { Holidays, PickUpPlan } from "#/modules/carriers/decision/calendar.ts";
import { type CountryRules, compileRules } from "#/modules/carriers/decision/compile-rules.ts";
import {
  type CompiledCard,
  type CompiledService,
  type CompiledZone,
  compileServices,
  compileZone,
  type SharedParts,
} from "#/modules/carriers/decision/compile-services.ts";
import { dayOf } from "#/modules/carriers/decision/local-time.ts";
import { amountScale, ExchangeRates } from "#/modules/carriers/decision/money.ts";
import { remembered } from "#/modules/carriers/decision/remembered.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";
import { type Layout, layoutText, makeLayout } from "#/modules/carriers/decision/zones.ts";

/** A version of carrier data in compiled form: compiled once, used any number of times. */
export interface CompiledCarrierData extends SharedParts {
  readonly version: number;
  /** By code. */
  readonly services: readonly CompiledService[];
  readonly hasLiveRates: boolean;
  readonly carrierCodes: ReadonlySet<string>;
  /** The data that can matter for a country. */
  forCountry(country: string): CountryIndex;
  /** The data that matter at a facility. */
  forFacility(facilityCode: string): FacilityIndex;
  readonly rates: ExchangeRates;
  readonly holidays: Holidays;
  /** The currency in which candidates are compared. */
  readonly rankingCurrency: string;
  /** Ten-thousandths of that currency. */
  readonly costPerDay: number;
  readonly defaultServiceLevel: ServiceLevel;
  /** Service level or service, by shippingMethod in capitals. */
  readonly shippingMethods: ReadonlyMap<string, string>;
  /** carrierCode by alias in capitals. */
  readonly carrierAliases: ReadonlyMap<string, string>;
}

export interface CountryIndex {
  readonly rules: CountryRules;
  readonly layouts: readonly Layout[];
  /** Cards of each service, the latest start of validity first. */
  readonly cards: readonly (readonly CountryCard[])[];
}

export interface CountryCard {
  readonly card: CompiledCard;
  /** Index of the layout by which the card divides the country. */
  readonly layout: number;
  /** By index of the entry; empty if the card has no entry for the country. */
  readonly zones: readonly CompiledZone[];
}

export interface FacilityIndex {
  readonly plans: readonly PickUpPlan[];
  /** Index of the plan, by index of the service. */
  readonly planByService: readonly number[];
}

/** Stored sets from before rate cards existed have none. */
export type StoredCarrierData = Omit<CarrierData, "rateCards"> & Partial<Pick<CarrierData, "rateCards">>;

const defaultCostPerDay = 1;

/** @param data validated by `checkCarrierData`. */
export function compileCarrierData(data: StoredCarrierData, version: number): CompiledCarrierData {
  const { rateCards = [], rules = [], rates = [], mapping = {}, settings = {}, holidays = {} } = data;
  const { services, weighings, currencies } = compileServices(data.services, rateCards);
  const rankingCurrency = settings.currency ?? rateCards[0]?.currency ?? "EUR";
  const rulesIn = compileRules(rules, services, rankingCurrency);
  return {
    version,
    services,
    hasLiveRates: services.some(({ liveRateMs }) => liveRateMs > 0),
    weighings,
    currencies,
    carrierCodes: new Set(services.map(({ carrierCode }) => carrierCode)),
    forCountry: remembered((country) => ({ rules: rulesIn(country), ...indexCards(services, country) })),
    forFacility: remembered((facilityCode) => indexFacility(services, facilityCode)),
    rates: new ExchangeRates(rates),
    holidays: new Map(Object.entries(holidays).map(([country, days]) => [country, new Set(days.map(dayOf))])),
    rankingCurrency,
    costPerDay: scaled(settings.balancedCostPerDay ?? defaultCostPerDay, amountScale),
    defaultServiceLevel: settings.defaultServiceLevel ?? "STANDARD",
    shippingMethods: inCapitals(mapping.shippingMethods),
    carrierAliases: inCapitals(mapping.carrierCodes),
  };
}

function indexCards(services: readonly CompiledService[], country: string): Pick<CountryIndex, "layouts" | "cards"> {
  const layouts: Layout[] = [];
  const places = new Map<string, number>();
  const indexCard = (card: CompiledCard): CountryCard => {
    const entries = card.entriesByCountry.get(country) ?? [];
    const text = layoutText(entries);
    const layout = places.get(text) ?? layouts.push(makeLayout(entries)) - 1;
    places.set(text, layout);
    return { card, layout, zones: entries.map((entry) => compileZone(entry, card)) };
  };
  return { cards: services.map(({ cards }) => cards.map(indexCard)), layouts };
}

function indexFacility(services: readonly CompiledService[], facilityCode: string): FacilityIndex {
  const plans: PickUpPlan[] = [];
  const planByService = services.map(({ pickUpDays, cutOffs }) => {
    const [days, cutOff] = [pickUpDays.get(facilityCode), cutOffs.get(facilityCode)];
    const known = plans.findIndex((plan) => plan.days === days && plan.cutOff === cutOff);
    return known >= 0 ? known : plans.push({ days, cutOff }) - 1;
  });
  return { plans, planByService };
}

function inCapitals(names: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).map(([name, value]) => [name.trim().toUpperCase(), value]));
}

export interface ResolvedMethod {
  readonly serviceLevel: ServiceLevel | undefined;
  /** Set if the method names a service instead of a level. */
  readonly requestedServiceCode: string | undefined;
  readonly warning: string | undefined;
}

/**
 * Resolves an order's shippingMethod: by the mapping, else as a service level or a service code, else to the default
 * level with a warning. Without a method: the default level (contract carriers.md, Mapping).
 */
export function resolveShippingMethod(data: CompiledCarrierData, shippingMethod: string | undefined): ResolvedMethod {
  const method = shippingMethod?.trim() ?? "";
  const meant = data.shippingMethods.get(method.toUpperCase()) ?? method;
  const level = serviceLevels.find((known) => known === meant.toUpperCase());
  if (level) return { serviceLevel: level, requestedServiceCode: undefined, warning: undefined };
  const service = data.services.find(({ code }) => code === meant);
  if (service) return { serviceLevel: undefined, requestedServiceCode: service.code, warning: undefined };
  const fallback = { serviceLevel: data.defaultServiceLevel, requestedServiceCode: undefined };
  if (method === "") return { ...fallback, warning: undefined };
  return { ...fallback, warning: `shippingMethod "${method}" is not mapped: ${fallback.serviceLevel} is used instead` };
}

/** The service level that a shippingMethod stands for; that of its service where it names one. */
export function serviceLevelOf(
  data: CompiledCarrierData,
  shippingMethod: string | undefined,
): ServiceLevel | undefined {
  const { serviceLevel, requestedServiceCode } = resolveShippingMethod(data, shippingMethod);
  return serviceLevel ?? data.services.find(({ code }) => code === requestedServiceCode)?.serviceLevel;
}

/** The carrier of a code or an alias; an unknown code is returned unchanged. */
export function resolveCarrierCode(data: CompiledCarrierData, code: string): string {
  if (data.carrierCodes.has(code)) return code;
  return data.carrierAliases.get(code.trim().toUpperCase()) ?? code;
}
