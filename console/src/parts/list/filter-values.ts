interface Option {
  readonly value: string;
  readonly label: string;
}

/** The values that a filter offers. */
interface Choices {
  readonly options?: readonly Option[];
  /** Frequent combinations, their values separated by commas. */
  readonly groups?: readonly Option[];
  /** Values besides the options may be entered. */
  readonly takesOthers?: boolean;
}

/** The values of a filter that takes several: rows have one of them, or none of them. */
export interface FilterValues {
  readonly isNegated: boolean;
  readonly values: readonly string[];
}

/** In a URL, the values are separated by commas. An exclamation mark before them negates. */
export function filterValuesOf(text: string): FilterValues {
  const isNegated = text.startsWith("!");
  const values = (isNegated ? text.slice(1) : text).split(",").filter((value) => value !== "");
  return { isNegated, values };
}

/** Empty if no value is chosen: the filter is not set. */
export function textOfValues({ isNegated, values }: FilterValues): string {
  return values.length === 0 ? "" : `${isNegated ? "!" : ""}${values.join(",")}`;
}

/**
 * The values that rows may have, separated by commas. Where the filter does not know every value, a negation stays one:
 * the API has a parameter for it.
 */
export function allowedValues({ options = [], takesOthers = false }: Choices, text: string): string {
  const { isNegated, values } = filterValuesOf(text);
  if (!isNegated) return values.join(",");
  if (takesOthers) return textOfValues({ isNegated, values });
  return options.flatMap(({ value }) => (values.includes(value) ? [] : value)).join(",");
}

/** The values that the filter leaves of the known ones; undefined: all of them. */
export function valuesLeft(text: string, known: readonly string[]): readonly string[] | undefined {
  const { isNegated, values } = filterValuesOf(text);
  if (values.length === 0) return undefined;
  const left = isNegated ? known.filter((value) => !values.includes(value)) : values;
  // An empty list would mean all of them. No object has this name.
  return left.length === 0 ? [text] : left;
}

/** A request whose values of these keys, separated by commas, are lists. */
export function withLists<Request extends object>(request: Request, ...keys: readonly (keyof Request)[]) {
  const lists = keys.flatMap((key) => (request[key] === undefined ? [] : [[key, String(request[key]).split(",")]]));
  return { ...request, ...Object.fromEntries(lists) };
}

/** "Backorder", "Late, Held", "Late, Held and 2 more", "not Late". */
export function wordOfValues({ options = [], groups = [] }: Choices, text: string): string {
  const { isNegated, values } = filterValuesOf(text);
  const group = groups.find(({ value }) => value === values.join(","));
  const labels = values.map((value) => options.find((option) => option.value === value)?.label ?? value);
  const more = labels.length > 2 ? ` and ${labels.length - 2} more` : "";
  return `${isNegated ? "not " : ""}${group?.label ?? `${labels.slice(0, 2).join(", ")}${more}`}`;
}
