import { escapePointer, faultsMax } from "#/http/server/schema-faults.ts";
import { escapeAttribute, escapeText, type Form } from "#/intake/xml/index.ts";
import type { RequestFault } from "#/kernel/refusal.ts";

/** A JSON object whose fields are those of a REST answer. */
export type Body = Readonly<Record<string, unknown>>;

/** Names of REST answers where XML has another one: a currency is an attribute, a list without a wrapper is plural. */
const ofAttributes: Readonly<Record<string, string>> = { unit: "currency" };
const ofLists: Readonly<Record<string, string>> = { item: "items", line: "lines" };

const attributeField = (name: string) => ofAttributes[name] ?? name;
const childField = (name: string, form: Form) => (form.kind === "many" ? (ofLists[name] ?? name) : name);

/**
 * The XML document that a JSON body means, by the declaration that reads the XML (docs/decisions/0057-json-documents.md). Null and missing
 * fields have no element.
 */
export function documentOf(root: string, form: Form, body: Body): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${elementOf(root, form, body)}\n`);
}

function elementOf(name: string, form: Form, value: unknown): string {
  if (value === undefined || value === null) return "";
  switch (form.kind) {
    case "text":
      return `<${name}>${escapeText(String(value))}</${name}>`;
    case "attributes": {
      const attributes = Object.entries(value as Body).map(
        ([key, text]) => `<attribute name="${escapeAttribute(key)}">${escapeText(String(text))}</attribute>`,
      );
      return `<${name}>${attributes.join("")}</${name}>`;
    }
    case "many":
      return listOf(name, form.item, value);
    case "wrapped":
      return `<${name}>${listOf(form.childName, form.item, value)}</${name}>`;
    case "element": {
      const fields = value as Body;
      let head = `<${name}`;
      for (const attribute of form.attributes) {
        const part = fields[attributeField(attribute)];
        if (part !== undefined && part !== null) head += ` ${attribute}="${escapeAttribute(String(part))}"`;
      }
      const content = form.content === undefined ? undefined : fields[form.content];
      const children = Object.entries(form.children).map(([child, part]) =>
        elementOf(child, part, fields[childField(child, part)]),
      );
      return `${head}>${escapeText(String(content ?? ""))}${children.join("")}</${name}>`;
    }
  }
}

const listOf = (name: string, item: Form, values: unknown) =>
  (values as readonly unknown[]).map((value) => elementOf(name, item, value)).join("");

/** Characters that XML 1.0 cannot represent (§2.2). */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The first texts and names of a body that no document can have. */
export function listUnwritable(body: Body): RequestFault[] {
  return findUnwritable(body, "#").take(faultsMax).toArray();
}

function* findUnwritable(value: unknown, pointer: string): Generator<RequestFault> {
  if (typeof value === "string") {
    const code = unwritable.exec(value)?.[0].codePointAt(0);
    const name = code?.toString(16).toUpperCase().padStart(4, "0");
    if (code !== undefined) yield { pointer, message: `has the character U+${name}, which is not allowed` };
  } else if (typeof value === "object" && value !== null) {
    for (const [field, part] of Object.entries(value)) {
      if (unwritable.test(field)) yield* findUnwritable(field, pointer);
      yield* findUnwritable(part, `${pointer}/${escapePointer(field)}`);
    }
  }
}

/**
 * The JSON pointer of a path of the document, in URI fragment form: `lines/line[3]/qty` is `#/lines/2/qty`. A path
 * that the body has no field for is that of the part around it.
 */
export function pointerOf(form: Form, body: Body, path: string): string {
  const steps = path.match(/@?[\w:.-]+(?:\[@name='[^']*'\]|\[\d+\])?/g) ?? [];
  const fields: string[] = [];
  let [at, value]: [Form, unknown] = [form, body];
  for (const step of steps) {
    const [, name = "", attributeName, place] = /^@?([\w:.-]+)(?:\[@name='([^']*)'\]|\[(\d+)\])?$/.exec(step) ?? [];
    const index = Number(place ?? 1) - 1;
    if (at.kind === "attributes") {
      const field = attributeName ?? Object.keys((value ?? {}) as Body)[index];
      if (field !== undefined) fields.push(field);
      break;
    }
    if (at.kind === "wrapped" && name === at.childName) {
      fields.push(String(index));
      [at, value] = [at.item, (value as readonly unknown[] | undefined)?.[index]];
      continue;
    }
    if (at.kind !== "element") break;
    if (step.startsWith("@")) {
      fields.push(attributeField(name));
      break;
    }
    const child: Form | undefined = at.children[name];
    if (child === undefined) break;
    const field = childField(name, child);
    fields.push(field);
    value = (value as Body | undefined)?.[field];
    at = child;
    if (child.kind === "many") {
      fields.push(String(index));
      [at, value] = [child.item, (value as readonly unknown[] | undefined)?.[index]];
    }
  }
  return `#${fields.map((field) => `/${escapePointer(field)}`).join("")}`;
}
