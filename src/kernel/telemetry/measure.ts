/** Weight units as stored and shown. @see contract/feeds.md §3, weightUomCode. */
export type WeightUnit = "KG" | "G" | "LB" | "OZ";

/** Units of length, width and height as stored and shown. @see contract/feeds.md §3, dimensionsUomCode. */
export type DimensionUnit = "CM" | "MM" | "M" | "IN" | "FT";

/** Usual names and UN/ECE Recommendation 20 codes. */
const weightUnits: ReadonlyMap<string, WeightUnit> = new Map([
  ["KG", "KG"],
  ["KGM", "KG"],
  ["KGS", "KG"],
  ["KILOGRAM", "KG"],
  ["KILOGRAMS", "KG"],
  ["G", "G"],
  ["GRM", "G"],
  ["GR", "G"],
  ["GRAM", "G"],
  ["GRAMS", "G"],
  ["LB", "LB"],
  ["LBR", "LB"],
  ["LBS", "LB"],
  ["POUND", "LB"],
  ["POUNDS", "LB"],
  ["OZ", "OZ"],
  ["ONZ", "OZ"],
  ["OUNCE", "OZ"],
  ["OUNCES", "OZ"],
]);

/** Kilograms of one unit. */
export const kilogramsOf: Readonly<Record<WeightUnit, number>> = {
  KG: 1,
  G: 0.001,
  LB: 0.45359237,
  OZ: 0.028349523125,
};

const dimensionUnits: ReadonlyMap<string, DimensionUnit> = new Map([
  ["CM", "CM"],
  ["CMT", "CM"],
  ["CENTIMETRE", "CM"],
  ["CENTIMETRES", "CM"],
  ["CENTIMETER", "CM"],
  ["CENTIMETERS", "CM"],
  ["MM", "MM"],
  ["MMT", "MM"],
  ["MILLIMETRE", "MM"],
  ["MILLIMETRES", "MM"],
  ["MILLIMETER", "MM"],
  ["MILLIMETERS", "MM"],
  ["M", "M"],
  ["MTR", "M"],
  ["METRE", "M"],
  ["METRES", "M"],
  ["METER", "M"],
  ["METERS", "M"],
  ["IN", "IN"],
  ["INH", "IN"],
  ["INCH", "IN"],
  ["INCHES", "IN"],
  ["FT", "FT"],
  ["FOT", "FT"],
  ["FOOT", "FT"],
  ["FEET", "FT"],
]);

/** The stock unit of an item without one. @see contract/feeds.md §4 Units. */
export const defaultStockUnit = "EA";

/** Names of a single piece: UN/ECE codes, those of the usual systems, and their plurals. */
const eachNames = [
  ...["EA", "EACH", "EACHES", "UNIT", "UNITS", "UN"],
  ...["PC", "PCE", "PCS", "PIECE", "PIECES", "ST", "C62", "H87"],
] as const;
const eachSynonyms: ReadonlySet<string> = new Set(eachNames);

/** The weight unit for a code in any case, `undefined` for an unknown one. */
export function canonicalWeightUnit(code: string): WeightUnit | undefined {
  return weightUnits.get(code.toUpperCase());
}

/** The unit of dimension for a code in any case, `undefined` for an unknown one. */
export function canonicalDimensionUnit(code: string): DimensionUnit | undefined {
  return dimensionUnits.get(code.toUpperCase());
}

/**
 * A unit of measure in its form for comparison: upper case, with the names of a single piece mapped to `EA`. The
 * catalogue decides whether an item has the unit. @see contract/feeds.md §4 Units.
 */
export function canonicalUnitOfMeasure(code: string): string {
  const upper = code.toUpperCase();
  return eachSynonyms.has(upper) ? defaultStockUnit : upper;
}
