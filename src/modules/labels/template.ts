/**
 * Requests to label sources are JSON with placeholders (contract carriers.md, Label sources): `{to.zip}` is a path into
 * the values of the purchase. A text that is one placeholder takes the value itself, of any type; a field without a
 * value is left out. `{"each": "{goods}", "as": …}` repeats `as` for each element, which is `{item}`;
 * `{"if": "{parcel.cm.length}", "as": …}` is `as` where the placeholder has a value.
 */

export type Values = Readonly<Record<string, unknown>>;

const placeholder = /\{([A-Za-z][A-Za-z0-9_.]*)\}/g;
const single = /^\{([A-Za-z][A-Za-z0-9_.]*)\}$/;

/** The value at a path such as `labels.0.label_id`; undefined where there is none. */
export function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const part of path.split(".")) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, part)) return undefined;
    value = (value as Values)[part];
  }
  return value ?? undefined;
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Fills placeholders within a text. @param encode applied to each value, as for a URL. */
export function fillText(template: string, values: Values, encode: (text: string) => string = (text) => text): string {
  return template.replace(placeholder, (_, path: string) => encode(textOf(valueAt(values, path))));
}

/** The template with its placeholders filled; undefined: it has no value. */
export function fill(template: unknown, values: Values): unknown {
  if (typeof template === "string") {
    const path = single.exec(template)?.[1];
    return path === undefined ? fillText(template, values) : valueAt(values, path);
  }
  if (Array.isArray(template)) return template.flatMap((part) => definedOf(fill(part, values)));
  if (template === null || typeof template !== "object") return template;
  const { if: condition, each, as, ...others } = template as Values;
  const isBare = as !== undefined && Object.keys(others).length === 0;
  if (condition !== undefined && each === undefined && isBare) {
    return fill(condition, values) === undefined ? undefined : fill(as, values);
  }
  if (each !== undefined && condition === undefined && isBare) {
    const list = fill(each, values);
    return Array.isArray(list) ? list.map((item: unknown) => fill(as, { ...values, item })) : undefined;
  }
  const fields = Object.entries(template).flatMap(([name, part]) => {
    const value = fill(part, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  // An object all of whose fields lack a value, such as the customs part of a domestic parcel, is left out as well.
  return fields.length === 0 && Object.keys(template).length > 0 ? undefined : Object.fromEntries(fields);
}

const definedOf = (value: unknown): unknown[] => (value === undefined ? [] : [value]);

/** The paths of all placeholders, for the check of a definition. */
export function pathsOf(template: unknown): string[] {
  if (typeof template === "string") return [...template.matchAll(placeholder)].map(([, path]) => path as string);
  if (template === null || typeof template !== "object") return [];
  return Object.values(template).flatMap(pathsOf);
}
