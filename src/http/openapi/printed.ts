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
  const short = flat(value, columnsMax - indent.length - before);
  if (short !== undefined) return short;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
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

/** On one line; undefined where that takes more columns than `room`, which is found before the whole value is read. */
function flat(value: unknown, room: number): string | undefined {
  const within = (text: string) => (text.length <= room ? text : undefined);
  if (typeof value !== "object" || value === null) return within(JSON.stringify(value));
  const isList = Array.isArray(value);
  const members: (readonly [string, unknown])[] = isList
    ? value.map((item) => ["", item])
    : present(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item]);
  if (members.length === 0) return within(isList ? "[]" : "{}");
  let text = isList ? "[" : "{ ";
  const end = isList ? "]" : " }";
  for (const [i, [name, item]] of members.entries()) {
    text += (i > 0 ? ", " : "") + name;
    const part = flat(item, room - text.length - end.length);
    if (part === undefined) return undefined;
    text += part;
  }
  return text + end;
}

const present = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined);
