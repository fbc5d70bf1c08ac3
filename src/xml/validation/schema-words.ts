import type { Nodes } from "#/xml/parse/nodes.ts";
import { schemaProblem, shown, type XmlProblem } from "#/xml/problem.ts";
import type { LibraryError } from "./library.ts";
import type { SchemaOutline, TypeOutline } from "./outline.ts";
import { outlineOf, pathOf } from "./path.ts";

/** Translates libxml2's reports on schema violations, by its error codes (xmlerror.h), into readable sentences. */

export const contentCode = 1871; // XML_SCHEMAV_ELEMENT_CONTENT: a child missing, unknown, surplus or out of order
const rootCode = 1845; // XML_SCHEMAV_CVC_ELT_1
const attributeUnknownCodes: readonly number[] = [1827, 1866];
const attributeMissingCode = 1868;
const emptyCode = 1841; // XML_SCHEMAV_CVC_COMPLEX_TYPE_2_1
const textCode = 1843; // XML_SCHEMAV_CVC_COMPLEX_TYPE_2_3
const elementsInSimpleCodes: readonly number[] = [1828, 1842];
const duplicateCode = 1877;
const nilCode = 1847; // XML_SCHEMAV_CVC_ELT_3_1

/**
 * The value that a report concerns, if it concerns one: successive reports on one value are one problem to the sender.
 * Several facets may fail. An element whose text cannot be checked, because it contains elements or xsi:nil, is also
 * checked as empty text.
 */
export function causeOf(error: LibraryError): string | undefined {
  const { code, node } = error;
  const isAboutValue = isValueCode(code) || elementsInSimpleCodes.includes(code) || code === nilCode;
  return isAboutValue ? `${node} ${attributeOf(error) ?? ""}` : undefined;
}

/** The check for uniqueness also reports values that were already reported as invalid. */
export function isEcho(error: LibraryError): boolean {
  return error.code === duplicateCode && !error.message.includes("Duplicate key-sequence");
}

/** A value that violates its type (1824–1826), or one of its facets (1829–1840). */
function isValueCode(code: number): boolean {
  return (code >= 1824 && code <= 1826) || (code >= 1829 && code <= 1840);
}

/** The attribute that a report concerns: libxml2 gives the element's node and names the attribute in its message. */
function attributeOf(error: LibraryError): string | undefined {
  return /^Element '[^']*', attribute '([^']*)'/.exec(error.message)?.[1];
}

/** The sentence for one report; to be called while libxml2 makes the report. */
export function schemaWords(nodes: Nodes, outline: SchemaOutline, error: LibraryError): XmlProblem {
  const { code, node } = error;
  if (node === 0 || !nodes.isElement(node))
    return { kind: "XSD", line: error.line, text: `Line ${error.line}: ${cleaned(error)}` };
  const line = nodes.line(node);
  if (code === rootCode) return rootProblem(nodes, outline, node, line);
  const path = pathOf(nodes, node);
  const declared = outlineOf(nodes, outline, node)?.type;
  const attribute = attributeOf(error);
  if (isValueCode(code)) return valueProblem(nodes, error, { line, path, attribute, declared });
  if (attributeUnknownCodes.includes(code)) {
    const name = localName(attribute ?? error.text1);
    return schemaProblem(
      line,
      `${path}/@${name}`,
      `attribute '${name}' is not allowed here; ${allowedAttributes(declared)}`,
    );
  }
  if (code === attributeMissingCode) return schemaProblem(line, path, `attribute '${error.text1}' is missing`);
  if (code === textCode || code === emptyCode) return textProblem(nodes, error, line, path);
  if (elementsInSimpleCodes.includes(code)) return schemaProblem(line, path, "only text is allowed here, no elements");
  if (code === duplicateCode) return duplicateProblem(nodes, outline, error, line, path);
  if (code === contentCode) return schemaProblem(line, path, contentWords(nodes, error));
  return schemaProblem(line, attribute === undefined ? path : `${path}/@${localName(attribute)}`, cleaned(error));
}

function rootProblem(nodes: Nodes, outline: SchemaOutline, root: number, line: number): XmlProblem {
  const name = shown(nodes.name(root));
  const namespace = nodes.namespace(root);
  const found = namespace === "" ? `'${name}'` : `'${name}' of namespace '${shown(namespace)}'`;
  const expected = [...outline.roots.keys()].map((root) => `'${root}'`).join(" or ");
  const suffix = namespace === "" ? "" : " without namespace";
  return {
    kind: "XSD",
    line,
    path: name,
    text: `Line ${line}: the root element is ${found}; expected ${expected}${suffix}`,
  };
}

interface ValuePlace {
  readonly line: number;
  readonly path: string;
  readonly attribute: string | undefined;
  readonly declared: TypeOutline | undefined;
}

function valueProblem(nodes: Nodes, error: LibraryError, { line, path, attribute, declared }: ValuePlace): XmlProblem {
  const type = attribute === undefined ? declared : declared?.attributes.get(attribute);
  const noun = type?.noun ?? localName(/ type '([^']*)'/.exec(error.message)?.[1] ?? "value");
  const text =
    attribute === undefined ? nodes.text(error.node) : (nodes.attribute(error.node, attribute) ?? error.text1);
  const value = shown(text);
  const where = attribute === undefined ? path : `${path}/@${localName(attribute)}`;
  return schemaProblem(line, where, `'${value}' is not a valid ${noun}`, value);
}

/** Text where only elements are allowed, or any content where none is allowed. */
function textProblem(nodes: Nodes, error: LibraryError, line: number, path: string): XmlProblem {
  if (error.message.includes("Element content")) return schemaProblem(line, path, "no elements are allowed here");
  const value = shown(error.code === textCode ? nodes.text(error.node).trim() : nodes.text(error.node));
  const suffix = error.code === textCode ? ", only elements are" : ": the element must be empty";
  return schemaProblem(line, path, `text '${value}' is not allowed here${suffix}`, value);
}

function allowedAttributes(declared: TypeOutline | undefined): string {
  const names = declared === undefined ? [] : [...declared.attributes.keys()];
  return names.length === 0 ? "no attribute is" : `allowed: ${names.join(", ")}`;
}

/** xs:unique and xs:key: "Duplicate key-sequence ['A'] in unique identity-constraint 'u'". */
function duplicateProblem(
  nodes: Nodes,
  outline: SchemaOutline,
  error: LibraryError,
  line: number,
  path: string,
): XmlProblem {
  const value = shown(error.text1.replace(/^\['?/, "").replace(/'?\]$/, ""));
  const constraint = /'([^']*)'$/.exec(error.text2)?.[1] ?? "";
  const fields = (outline.uniqueFields.get(constraint) ?? [])
    .map((field) => field.replace(/^@/, ""))
    .filter((field) => field !== ".");
  const what = [nodes.name(error.node), fields.join(", ")].join(" ").trim();
  return schemaProblem(line, path, `${what} '${value}' appears twice`, value);
}

/**
 * The content of a parent that the outline does not support (a choice, a nested group): libxml2's expectation as a
 * sentence.
 */
function contentWords(nodes: Nodes, error: LibraryError): string {
  const list = / Expected is (?:one of )?\( (.*?) \)/.exec(error.message)?.[1];
  const names = list?.split(", ").map((name) => `'${name}'`) ?? [];
  const choice = names.length > 1 ? `one of ${names.join(", ")}` : names[0];
  if (error.message.includes("Missing child"))
    return choice === undefined
      ? "an element is missing"
      : `${names.length > 1 ? choice : `element ${choice}`} is missing`;
  const name = shown(nodes.name(error.node));
  return choice === undefined
    ? `element '${name}' is not allowed here`
    : `element '${name}' is not allowed here; expected ${choice}`;
}

/** libxml2's own message without the position, which the sentence already contains. */
function cleaned(error: LibraryError): string {
  const words = error.message
    .replace(/^Element '[^']*'(?:, attribute '[^']*')?: /, "")
    .replace(/\s+/g, " ")
    .replace(/\.$/, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** The last part of `xs:dateTime` and of `{http://…}lang`. */
function localName(name: string): string {
  return name.replace(/^\{.*\}/, "").replace(/^\w+:/, "");
}
