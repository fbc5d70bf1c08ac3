// Checks an address beyond its country and postcode. The client's settings decide what a fault means for the order.
import type { FeedSettings } from "#/intake/feeds/intake/definition.ts";
import { parseMailAddress } from "#/kernel/config/parsers.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { checkPostcode } from "#/kernel/values/postcodes/check.ts";
import { hasStates, isState } from "#/kernel/values/subdivisions.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import type { Hold } from "#/modules/orders/order.ts";

type AddressSettings = Pick<FeedSettings, "namelessAddress" | "doubtfulAddress">;
type AddressOutcome = FeedSettings["doubtfulAddress"];

export interface AddressFault {
  readonly outcome: AddressOutcome;
  /** For example `shipToAddress/state`. */
  readonly path: string;
  /** The message for the sender, with the value. */
  readonly message: string;
  /** The reason without the value: the order keeps it longer than its names and addresses. */
  readonly reason: string;
}

interface Addresses {
  /** The address with a two-letter country code. */
  readonly shipToAddress?: AddressElement | undefined;
  readonly billToAddress?: AddressElement | undefined;
}

/** All faults of the addresses of an order. */
export function checkAddresses({ shipToAddress, billToAddress }: Addresses, settings: AddressSettings): AddressFault[] {
  return [
    ...(shipToAddress ? checkName(shipToAddress, settings) : []),
    ...(shipToAddress ? checkParts(shipToAddress, "shipToAddress", settings) : []),
    ...(billToAddress ? checkParts(billToAddress, "billToAddress", settings) : []),
  ];
}

const isBlank = (text: string | undefined): text is undefined | "" => text === undefined || text.trim() === "";

function checkName(
  { firstName, lastName, companyName }: AddressElement,
  { namelessAddress: outcome }: AddressSettings,
): AddressFault[] {
  if (![firstName, lastName, companyName].every(isBlank)) return [];
  const message = "has no name: send a firstName, lastName or companyName";
  return [{ outcome, path: "shipToAddress", message, reason: "has no name" }];
}

function checkParts(
  { country = "", state, email, phone, mobile }: AddressElement,
  name: "shipToAddress" | "billToAddress",
  { doubtfulAddress: outcome }: AddressSettings,
): AddressFault[] {
  const faults: AddressFault[] = [];
  const fault = (field: string, message: string, reason: string) =>
    faults.push({ outcome, path: `${name}/${field}`, message, reason });
  if (hasStates(country) && isBlank(state)) fault("state", `is required in ${country}`, `is required in ${country}`);
  else if (hasStates(country) && !isState(country, state ?? "")) {
    fault("state", `'${state}' is no state of ${country}; send its code or its name`, `is no state of ${country}`);
  }
  if (!isBlank(email) && !isMailAddress(email)) {
    fault("email", `'${email}' is no e-mail address such as jane@example.com`, "is no e-mail address");
  }
  for (const [field, number] of Object.entries({ phone, mobile })) {
    if (isBlank(number) || isTelephoneNumber(number)) continue;
    fault(field, `'${number}' is no telephone number such as +44 20 7946 0000`, "is no telephone number");
  }
  return faults;
}

function isMailAddress(text: string): boolean {
  const parsed = parseMailAddress(text);
  return parsed.ok && parsed.value.address === text.trim();
}

/** 4 to 15 digits (ITU-T E.164 has at most 15) with separators, and optionally an extension. */
function isTelephoneNumber(text: string): boolean {
  const [, number = ""] = /^([+\d\s()./-]+?)(?:\s*(?:ext\.?|x|#)\s*\d{1,8})?$/i.exec(text.trim()) ?? [];
  const digits = number.replace(/\D/g, "").length;
  return digits >= 4 && digits <= 15 && /^[^+]*$|^\(?\+[^+]*$/.test(number);
}

export const withOutcome = (faults: readonly AddressFault[], outcome: AddressOutcome): readonly AddressFault[] =>
  faults.filter((fault) => fault.outcome === outcome);

/** The hold of an order whose address an operator must check; undefined if no fault requires a hold. */
export function holdOfAddress(faults: readonly AddressFault[], at: string, by: string): Hold | undefined {
  const held = withOutcome(faults, "HOLD");
  if (held.length === 0) return undefined;
  const reason = held.map((fault) => `${fault.path} ${fault.reason}`).join("; ");
  return { type: "ADDRESS_INVALID", reason, since: at, by };
}

type PlaceVerdict =
  | { readonly ok: true /** ISO 3166-1, two letters. */; readonly country: string }
  | { readonly ok: false; readonly field: "country" }
  | { readonly ok: false; readonly field: "zip"; readonly country: string; readonly formats: readonly string[] };

/** Checks the country and postcode of an address; feeds and REST share this rule (contract feeds.md §4 NO). */
export function checkPlace(country: string, zip: string | undefined): PlaceVerdict {
  const alpha2 = toAlpha2(country);
  if (alpha2 === undefined) return { ok: false, field: "country" };
  const postcode = checkPostcode(zip, alpha2);
  return postcode.ok
    ? { ok: true, country: alpha2 }
    : { ok: false, field: "zip", country: alpha2, formats: postcode.formats };
}
