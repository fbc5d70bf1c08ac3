import { type Finding, finding } from "#/kernel/feed-codes.ts";
import {
  canonicalDimensionUnit,
  canonicalUnitOfMeasure,
  canonicalWeightUnit,
  defaultStockUnit,
} from "#/kernel/telemetry/measure.ts";
import { faultOfCountry, toAlpha2 } from "#/kernel/values/country.ts";
import { type CustomsRule, customsGoodsOf, faultsOfCustoms, unmetRules } from "#/kernel/values/customs-rules.ts";
import { faultsOfDangerousGoods } from "#/kernel/values/dangerous-goods.ts";
import { formOfAttribute, isFlag, isTrue } from "#/kernel/values/extended-attributes.ts";
import { hasValidCheckDigit } from "#/kernel/values/gtin.ts";
import { parseQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import type { ItemElement } from "#/modules/catalogue/contract.ts";
import { componentsOfKitMax, faultOfKitUnit, type KitComponent } from "#/modules/catalogue/kit-component.ts";

/** An item as a row for the store; the short names are JSON keys, fifty thousand items at a time. */
export interface ItemRow {
  readonly sku: string;
  readonly alt_sku?: string | undefined;
  readonly ean_code?: string | undefined;
  readonly name: string;
  readonly weight?: string | undefined;
  readonly weight_uom_code?: string | undefined;
  readonly height?: string | undefined;
  readonly length?: string | undefined;
  readonly width?: string | undefined;
  readonly dimensions_uom_code?: string | undefined;
  readonly product_type?: string | undefined;
  readonly country_of_origin?: string | undefined;
  readonly image_url?: string | undefined;
  readonly capture_batch_ref?: boolean | undefined;
  readonly extended_attributes?: Record<string, string> | undefined;
  readonly barcodes?: readonly string[] | undefined;
  readonly stock_uom?: string | undefined;
  readonly packs?: Record<string, string> | undefined;
  readonly is_active?: boolean | undefined;
  readonly components?: readonly KitComponent[] | undefined;
  /** Findings that do not refuse the item. */
  readonly warnings?: readonly Finding[] | undefined;
}

/** The part of an item that is kept while the rest of its document is read: up to fifty thousand at a time. */
export interface ReadItem {
  readonly sku: string;
  readonly ean: string | null;
  readonly stockUnit: string | null;
  readonly barcodes: readonly string[] | undefined;
  /** Undefined: the document does not make it a kit. */
  readonly components: readonly KitComponent[] | undefined;
  /** A weight without a unit has no meaning; in MERGE mode, the stored item may have a unit. */
  readonly lacksWeightUnit: boolean;
  /** Of every destination; the rules are those of the table, not copies. */
  readonly unmetRules: readonly CustomsRule[];
  /** The `ItemRow` as JSON text. */
  readonly json: string;
  /** Texts without the item's place, which only the document knows: `/weightUomCode: 'STONE' is not …`. */
  readonly findings: { readonly faults: readonly Finding[]; readonly warnings: readonly Finding[] } | undefined;
}

export const weightUnitCodes = "KG, KGM, G, GRM, LB, LBR, OZ, ONZ";

/** The most warnings that are stored with an item; the document keeps all its findings. */
export const itemWarningsMax = 20;

/** Reads one item, even one that failed its XSD. */
export function readItem(item: ItemElement): ReadItem {
  const faults: Finding[] = [];
  const warnings: Finding[] = [];
  const attributes = attributesOf(item);
  const meaning = attributes === undefined ? undefined : readAttributes(attributes, faults);
  const named = attributes && Object.fromEntries(attributes);
  for (const text of named === undefined ? [] : faultsOfDangerousGoods(named)) warnings.push(finding("VALUE", text));
  for (const text of named === undefined ? [] : faultsOfCustoms(named)) warnings.push(finding("CUSTOMS", text));
  const country = item.countryOfOrigin === undefined ? undefined : toAlpha2(item.countryOfOrigin);
  if (item.countryOfOrigin !== undefined && country === undefined) {
    faults.push(finding("COUNTRY", `/countryOfOrigin: ${faultOfCountry(item.countryOfOrigin)}`));
  }
  const weightUnit = readUnit(
    item.weightUomCode,
    canonicalWeightUnit,
    `unit of weight; allowed: ${weightUnitCodes}`,
    "/weightUomCode",
    faults,
  );
  const dimensionUnit = readUnit(
    item.dimensionsUomCode,
    canonicalDimensionUnit,
    "unit of length; allowed: CM, CMT, MM, MMT, M, MTR, IN, INH, FT, FOT",
    "/dimensionsUomCode",
    faults,
  );
  const barcodes = item.gtinBarcodes?.flatMap((barcode) => barcode ?? []);
  for (const code of [...(item.eanCode === undefined ? [] : [item.eanCode]), ...(barcodes ?? [])]) {
    if (/^(\d{8}|\d{12,14})$/.test(code) && !hasValidCheckDigit(code)) {
      warnings.push(finding("GTIN", `the check digit of '${code}' of SKU ${item.sku} is wrong`));
    }
  }
  const components = readComponents(item, meaning?.stock_uom, faults);
  const row: ItemRow = {
    sku: item.sku as string,
    alt_sku: item.altSku,
    ean_code: item.eanCode,
    name: item.name ?? "",
    weight: item.weight,
    weight_uom_code: weightUnit,
    height: item.height,
    length: item.length,
    width: item.width,
    dimensions_uom_code: dimensionUnit,
    product_type: item.productType,
    country_of_origin: country,
    image_url: item.imageUrl,
    capture_batch_ref: item.captureBatchRef === undefined ? undefined : isTrue(item.captureBatchRef),
    extended_attributes: named,
    barcodes: barcodes && [...new Set(barcodes)],
    ...meaning,
    components,
    warnings: warnings.length === 0 ? undefined : warnings.slice(0, itemWarningsMax),
  };
  const placed = warnings.map(({ code, text }) => finding(code, `: ${text}`));
  return {
    sku: row.sku,
    ean: item.eanCode ?? null,
    stockUnit: row.stock_uom ?? null,
    barcodes: row.barcodes,
    components,
    lacksWeightUnit: Number(item.weight ?? 0) > 0 && item.weightUomCode === undefined,
    unmetRules: unmetRules(
      customsGoodsOf({
        ...item,
        // The XSD refuses a document with an item that has none.
        sku: item.sku ?? "",
        countryOfOrigin: country,
        gtinBarcodes: row.barcodes,
        extendedAttributes: named,
      }),
    ),
    json: JSON.stringify(row),
    findings: faults.length + warnings.length === 0 ? undefined : { faults, warnings: placed },
  };
}

/** Its extended attributes, with the element that is stored as one of them. */
function attributesOf({ extendedAttributes, availableFrom }: ItemElement): ItemElement["extendedAttributes"] {
  if (availableFrom === undefined) return extendedAttributes;
  const others = (extendedAttributes ?? []).filter(([name]) => name !== "AvailableFrom");
  return [...others, ["AvailableFrom", availableFrom]];
}

/** The components of a kit, each SKU once; their stock units and kinds are those of the store. */
function readComponents(item: ItemElement, stockUnit: string | undefined, faults: Finding[]) {
  const { components } = item;
  if (components === undefined) return undefined;
  const places = new Map<string, number>();
  const pathOf = (i: number) => `/components/component${components.length === 1 ? "" : `[${i + 1}]`}`;
  const fault = (path: string, text: string) => faults.push(finding("KIT", `${path}: ${text}`));
  if (components.length > componentsOfKitMax) {
    fault("/components", `${components.length} components, at most ${componentsOfKitMax} are allowed`);
  }
  if (stockUnit !== undefined && stockUnit !== defaultStockUnit) fault("/components", faultOfKitUnit(stockUnit));
  return components.map(({ sku = "", qty = "" }, i): KitComponent => {
    const before = places.get(sku);
    if (sku === item.sku) fault(`${pathOf(i)}/sku`, `SKU '${sku}' cannot be a component of itself`);
    else if (before !== undefined)
      fault(`${pathOf(i)}/sku`, `SKU '${sku}' is in the kit twice, first as component[${before + 1}]`);
    places.set(sku, i);
    return { sku, qty: quantityToNumber(parseQuantity(qty) ?? 0) };
  });
}

function readUnit(
  code: string | undefined,
  canonical: (code: string) => string | undefined,
  allowed: string,
  path: string,
  faults: Finding[],
): string | undefined {
  if (code === undefined) return undefined;
  const unit = canonical(code);
  if (unit === undefined) faults.push(finding("VALUE", `${path}: '${code}' is not a ${allowed}`));
  return unit;
}

interface AttributeMeaning {
  readonly stock_uom?: string;
  readonly packs?: Record<string, string>;
  readonly is_active?: boolean;
}

/** The extended attributes with a meaning (feeds.md §4); all others are stored unchanged. */
function readAttributes(attributes: readonly (readonly [string, string])[], faults: Finding[]): AttributeMeaning {
  let stockUnit: string | undefined;
  let isActive: boolean | undefined;
  const packs: Record<string, string> = {};
  const wrong = (name: string, value: string, rule: string) =>
    faults.push(finding("VALUE", `/extendedAttributes/attribute[@name='${name}']: '${value}' is not ${rule}`));
  for (const [name, value] of attributes) {
    const form = formOfAttribute(name, "item");
    if (name === "StockUom") {
      if (/^[A-Za-z0-9]{1,10}$/.test(value)) stockUnit = canonicalUnitOfMeasure(value);
      else wrong(name, value, "a unit code of 1 to 10 letters and digits");
    } else if (form === "packSize") {
      const size = parseQuantity(value);
      const unit = name.slice("Uom.".length);
      if (!/^[A-Za-z0-9]{1,10}$/.test(unit)) wrong(name, value, "named by a unit code of 1 to 10 letters and digits");
      else if (size === undefined || size <= 0)
        wrong(name, value, "a pack size, a decimal above 0 with at most 3 fraction digits");
      else packs[canonicalUnitOfMeasure(unit)] = value.trim();
    } else if (form === "flag") {
      if (value !== "" && !isFlag(value)) wrong(name, value, "a flag: true, false, 1 or 0");
      else if (name === "Active" && value !== "") isActive = isTrue(value);
    } else if (form === "wholeNumber") {
      if (!/^(\d{1,9})?$/.test(value)) wrong(name, value, "a whole number, 0 or above");
    }
  }
  return {
    ...(stockUnit === undefined ? {} : { stock_uom: stockUnit }),
    ...(Object.keys(packs).length === 0 ? {} : { packs }),
    ...(isActive === undefined ? {} : { is_active: isActive }),
  };
}
