const columnsMax = 120;

/**
 * The document as text: JSON with an indent of 2, where an object or list that fits into 120 columns is on one line.
 * Without that, the nine documents have 66,900 lines.
 */
export function printed(document: unknown): string {
  return `${lines(document, "", 0)}\n`;
}

/** @param before the columns that a key already occupies on the line. */
function lines(value: unknown, indent: string, before: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const short = flat(value);
  if (indent.length + before + short.length <= columnsMax) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + lines(item, inner, 0));
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  const fields = present(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `;
    return inner + name + lines(item, inner, name.length);
  });
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

function flat(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`;
  const fields = present(value).map(([key, item]) => `${JSON.stringify(key)}: ${flat(item)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

const present = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined);
