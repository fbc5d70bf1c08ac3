// The types of the feeds' documents, from their XSDs. An attribute is `@name`, the text beside attributes `#text` (src/xml.ts).
import { readXml, type XmlElement } from "../src/xml.ts";

export const feedTypes = ["CAT", "PO", "RMA", "NO"] as const;

/** @param documents the XSDs, in the order of `feedTypes`. */
export function feedsOf(documents: readonly string[]): string {
  const schemas = documents.map((text) => readXml(text));
  const roots = schemas.map((schema) => childOf(schema, "xs:element") as XmlElement);
  const parts = schemas.map((schema, i) => interfacesOf(schema, feedTypes[i] as string));
  const list = feedTypes.map((type) => `  readonly ${type}: ${type}Document;`).join("\n");
  const names = feedTypes.map((type, i) => `${type}: "${nameOf(roots[i] as XmlElement)}"`).join(", ");
  return [
    ...parts.flat(),
    `/** The document of each feed. */\nexport interface FeedDocuments {\n${list}\n}`,
    `export const roots = { ${names} } as const;`,
    "",
  ].join("\n\n");
}

/** The root as `NODocument`, and each complex type as `NOLine`. */
function interfacesOf(schema: XmlElement, feed: string): string[] {
  const simple = new Map(named(schema, "xs:simpleType"));
  const complex = new Map(named(schema, "xs:complexType"));
  const root = childOf(schema, "xs:element") as XmlElement;
  function typeOf(name: string): string {
    const type = complex.get(name);
    if (type === undefined) return kindOf(simple.get(name) as XmlElement);
    const extension = childOf(childOf(type, "xs:simpleContent"), "xs:extension");
    const isPlain =
      extension && childrenOf(extension, "xs:attribute").every(({ attributes }) => attributes.use !== "required");
    return isPlain ? `${feed}${name} | ${typeOf(extension.attributes.base ?? "")}` : `${feed}${name}`;
  }

  function kindOf(type: XmlElement): string {
    const union = childOf(type, "xs:union");
    if (union) {
      const members = (union.attributes.memberTypes ?? "").split(" ").filter((name) => name !== "Empty");
      return members.map((name) => kindOf(simple.get(name) as XmlElement)).join(" | ");
    }
    const restriction = childOf(type, "xs:restriction") as XmlElement;
    const literals = childrenOf(restriction, "xs:enumeration").map(({ attributes }) => `"${attributes.value}"`);
    return literals.length > 0 ? literals.join(" | ") : (basic[restriction.attributes.base ?? ""] ?? "string");
  }

  function membersOf(type: XmlElement): string[] {
    const group = childOf(type, "xs:all") ?? childOf(type, "xs:sequence");
    const extension = childOf(childOf(type, "xs:simpleContent"), "xs:extension");
    const elements = childrenOf(group, "xs:element").map((element) => {
      const { name, type: its = "", minOccurs, maxOccurs = "1" } = element.attributes;
      const value = maxOccurs === "1" ? typeOf(its) : `readonly (${typeOf(its)})[]`;
      return `${commentOf(element)}  readonly ${name}${minOccurs === "0" ? "?" : ""}: ${value}${minOccurs === "0" ? " | undefined" : ""};`;
    });
    const text = extension ? [`  readonly "#text"?: ${typeOf(extension.attributes.base ?? "")} | undefined;`] : [];
    const attributes = childrenOf(extension ?? type, "xs:attribute").map((attribute) => {
      const { name, type: its = "", use } = attribute.attributes;
      const value = use === "required" ? `: ${typeOf(its)}` : `?: ${typeOf(its)} | undefined`;
      return `${commentOf(attribute)}  readonly "@${name}"${value};`;
    });
    return [...elements, ...text, ...attributes];
  }

  const interfaceOf = (name: string, type: XmlElement) =>
    `${commentOf(type, "")}export interface ${name} {\n${membersOf(type).join("\n")}\n}`;
  return [
    ...[...complex].map(([name, type]) => interfaceOf(`${feed}${name}`, type)),
    interfaceOf(`${feed}Document`, childOf(root, "xs:complexType") as XmlElement),
  ];
}

const basic: Readonly<Record<string, string>> = {
  "xs:decimal": "number | string",
  "xs:integer": "number | string",
  "xs:boolean": "boolean | string",
  "xs:dateTime": "Date | string",
};

function commentOf(element: XmlElement, indent = "  "): string {
  const text = childOf(childOf(element, "xs:annotation"), "xs:documentation")?.text.trim().replace(/\s+/g, " ");
  return text === undefined ? "" : `${indent}/** ${text} */\n`;
}

const nameOf = ({ attributes }: XmlElement) => attributes.name ?? "";
const named = (schema: XmlElement, kind: string) =>
  childrenOf(schema, kind).map((type): [string, XmlElement] => [nameOf(type), type]);
const childrenOf = (element: XmlElement | undefined, name: string) =>
  (element?.children ?? []).filter((child) => child.name === name);
const childOf = (element: XmlElement | undefined, name: string) => childrenOf(element, name)[0];
