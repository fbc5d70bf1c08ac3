import { type Refusal, type RequestFault, unprocessableFaults } from "#/kernel/refusal.ts";
import { faultOfCountry } from "#/kernel/values/country.ts";
import type { HeaderChange, StoredHeader } from "#/modules/orders/commands/change-repository.ts";
import { checkPlace } from "#/modules/orders/intake/check-address.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import { attributesWithMeaning, isSame } from "#/modules/orders/intake/feed-changes.ts";

type AddressPatch = { readonly [Field in keyof AddressElement]?: string | null };

/**
 * JSON merge patch (RFC 7396) of an order: an omitted field stays; null clears a field or resets it to its default.
 * Addresses are merged field by field, attributes by name.
 */
export interface OrderPatch {
  readonly shipToAddress?: AddressPatch;
  readonly billToAddress?: AddressPatch | null;
  readonly shippingMethod?: string | null;
  readonly carrierCode?: string | null;
  readonly doNotShip?: boolean | null;
  readonly distributionCentre?: string;
  readonly priority?: number | null;
  readonly extendedAttributes?: Readonly<Record<string, string | null>> | null;
}

/** The priority of an order that does not state one (contract feeds.md §4). */
const priorityDefault = 5;
/** The limit stops repeated patches from growing an order without end. */
const attributesMax = 1_000;
const attributeName = /^[^\s\p{Cc}](?:[^\p{Cc}]{0,62}[^\s\p{Cc}])?$/u;
const addressNames = ["shipToAddress", "billToAddress"] as const;
const requiredInAddress = ["address1", "city", "country"] as const;

/** The faults of a patch that do not depend on the order: a 400. The schema has validated the rest. */
export function faultsOfPatch({ extendedAttributes }: OrderPatch): RequestFault[] {
  return Object.keys(extendedAttributes ?? {}).flatMap((name) => {
    const pointer = `#/extendedAttributes/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (name === "Priority") return { pointer, message: "is set by the field priority; change that" };
    if (attributesWithMeaning.has(name)) return { pointer, message: "cannot be changed here; send an UPDATE by NO" };
    if (attributeName.test(name)) return [];
    return { pointer, message: "is not a valid name: use 1 to 64 printable characters, without a blank at either end" };
  });
}

/** The merged header: every field that the patch names, changed or not. */
export function mergeHeader(stored: StoredHeader, patch: OrderPatch): HeaderChange {
  const { shipToAddress, billToAddress, shippingMethod, carrierCode } = patch;
  const priority = patch.priority === undefined ? undefined : (patch.priority ?? priorityDefault);
  return {
    shipToAddress: shipToAddress && mergeAddress(stored.ship_to_address, shipToAddress),
    billToAddress: billToAddress && mergeAddress(stored.bill_to_address, billToAddress),
    shippingMethod,
    carrierCode,
    priority,
    extendedAttributes: mergeAttributes(stored.extended_attributes, patch.extendedAttributes, priority),
  };
}

function mergeAddress(stored: AddressElement | null, patch: AddressPatch): AddressElement {
  return withoutNulls({ ...stored, ...patch }) as AddressElement;
}

function withoutNulls<Value>(fields: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined),
  );
}

function mergeAttributes(
  stored: Readonly<Record<string, string>>,
  patch: OrderPatch["extendedAttributes"],
  priority: number | undefined,
): Readonly<Record<string, string>> | undefined {
  // If the feed gave the priority as an attribute, the record shows it in both places.
  const isRepeated = priority !== undefined && Object.hasOwn(stored, "Priority");
  if (patch === undefined && !isRepeated) return undefined;
  const kept = Object.entries(stored).filter(([name]) => patch !== null || attributesWithMeaning.has(name));
  return withoutNulls({
    ...Object.fromEntries(kept),
    ...patch,
    ...(isRepeated ? { Priority: String(priority) } : {}),
  });
}

/** Required fields that the merged header lacks: a 400, because the patch must provide them. */
export function faultsOfMerged(merged: HeaderChange): RequestFault[] {
  const faults = addressNames.flatMap((name) => {
    const address = merged[name];
    const missing = address ? requiredInAddress.filter((field) => address[field] === undefined) : [];
    return missing.map((field) => ({
      pointer: `#/${name}/${field}`,
      message: `is required: the order's ${name} has none`,
    }));
  });
  if (Object.keys(merged.extendedAttributes ?? {}).length <= attributesMax) return faults;
  return [...faults, { pointer: "#/extendedAttributes", message: `would be more than ${attributesMax}` }];
}

/** The fields of the merged header that differ from the stored header. */
export function changedFields(stored: StoredHeader, merged: HeaderChange): HeaderChange {
  const before: Readonly<Record<keyof HeaderChange, unknown>> = {
    shipToAddress: stored.ship_to_address,
    billToAddress: stored.bill_to_address,
    shippingMethod: stored.shipping_method,
    carrierCode: stored.carrier_code,
    priority: stored.priority,
    extendedAttributes: stored.extended_attributes,
  };
  return Object.fromEntries(
    Object.entries(merged).filter(
      ([name, value]) => value !== undefined && !isSame(value, before[name as keyof HeaderChange]),
    ),
  );
}

export type Placed = { readonly header: HeaderChange; readonly refusal: Refusal | undefined };

/**
 * The header with two-letter country codes in its addresses; or a 422 that names every unknown country and every
 * postcode that does not fit its country. An address with unchanged country and postcode was validated on receipt.
 */
export function placeAddresses(stored: StoredHeader, header: HeaderChange): Placed {
  const before = { shipToAddress: stored.ship_to_address, billToAddress: stored.bill_to_address };
  const errors: RequestFault[] = [];
  const placed = addressNames.flatMap((name) => {
    const address = header[name];
    const isElsewhere = address && (address.country !== before[name]?.country || address.zip !== before[name]?.zip);
    if (!address || !isElsewhere) return [];
    const country = address.country ?? "";
    const place = checkPlace(country, address.zip);
    if (place.ok) return [[name, { ...address, country: place.country }] as const];
    errors.push(
      place.field === "country"
        ? { pointer: `#/${name}/country`, message: faultOfCountry(country) }
        : {
            pointer: `#/${name}/zip`,
            message: `${faultOfZip(address.zip, place.country)}; allowed formats: ${place.formats.join(", ")}`,
          },
    );
    return [];
  });
  if (errors.length === 0) return { header: { ...header, ...Object.fromEntries(placed) }, refusal: undefined };
  return { header, refusal: unprocessableFaults(errors) };
}

function faultOfZip(zip: string | undefined, country: string): string {
  return zip === undefined ? `is required in ${country}` : `'${zip}' is not a postcode of ${country}`;
}
