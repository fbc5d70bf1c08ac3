import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { XmlDocument, XmlElement, type XmlNode } from "libxml2-wasm";
import { atEnd } from "../support/app/at-end.ts";
import {
  inboundNames,
  newestVersionOf,
  outboundExhibits,
  outboundNames,
  readSample,
  type SchemaName,
  schemaNames,
  schemaPath,
} from "./exhibits.ts";

const xs = { xs: "http://www.w3.org/2001/XMLSchema" };
const schemas = new Map<SchemaName, XmlDocument>(
  schemaNames.map((name) => [name, XmlDocument.fromBuffer(readFileSync(schemaPath(name)))]),
);
atEnd(() => {
  for (const document of schemas.values()) document.dispose();
});

const rootBySchema: Readonly<Record<SchemaName, string>> = {
  CAT: "itemMaster",
  PO: "vendorOrder",
  RMA: "returnMerchandiseAuthorization",
  NO: "orderRequest",
  ApiResponse: "apiResponse",
  GR: "goodsReceipt",
  OS: "orderStatus",
  RS: "returnStatus",
  ADJ: "inventoryAdjustment",
  INV: "inventorySnapshot",
  IMS: "inventoryMovementStatement",
  ACK: "feedAcknowledgement",
};

/** The first elements of every outbound document; the ACK of a catalogue has no facility. */
const outboundHead = ["messageId", "clientId", "distributionCentre", "creationTimeStamp"];

for (const [name, document] of schemas) {
  test(`${name}.xsd declares the root of the specification and no other, without namespace or import`, () => {
    assert.deepEqual(attributesOf(document, "/xs:schema/xs:element/@name"), [rootBySchema[name]]);
    assert.deepEqual(attributesOf(document, "/xs:schema/@version"), [newestVersionOf[name] ?? "1.0"]);
    assert.deepEqual(attributesOf(document, "/xs:schema/@targetNamespace"), []);
    assert.deepEqual(
      document.find("//xs:import | //xs:include | //xs:redefine | //xs:any | //xs:anyAttribute", xs),
      [],
    );
  });

  test(`${name}.xsd counts nothing, because Java stops at 5 000`, () => {
    assert.deepEqual(new Set(attributesOf(document, "//@maxOccurs")).difference(new Set(["unbounded"])), new Set());
  });

  test(`${name}.xsd documents every element, XML attribute and type in a sentence`, () => {
    const declarations = "//xs:element | //xs:attribute | /xs:schema/xs:complexType | /xs:schema";
    for (const declaration of elements(document, declarations)) {
      assert.match(documentationOf(declaration), /^[A-Z].+[.]$/, `documentation of ${labelOf(declaration)}`);
    }
  });

  test(`${name}.xsd names every simple type and documents it as noun and rule`, () => {
    assert.deepEqual(elements(document, "//xs:simpleType[not(parent::xs:schema)]").map(labelOf), []);
    for (const type of elements(document, "/xs:schema/xs:simpleType")) {
      assert.match(documentationOf(type), /^[a-z][a-z -]*: \S.*[^.]$/, `documentation of ${labelOf(type)}`);
    }
    const types = attributesOf(document, "//xs:element/@type | //xs:attribute/@type | //xs:extension/@base");
    assert.deepEqual(
      types.filter((type) => type.startsWith("xs:")),
      [],
      "a built-in type has no rule in words",
    );
  });

  test(`${name}.xsd uses every type that it defines`, () => {
    const defined = attributesOf(document, "/xs:schema/xs:simpleType/@name | /xs:schema/xs:complexType/@name");
    const used = attributesOf(document, "//@type | //@base | //@memberTypes").flatMap((names) => names.split(" "));
    assert.deepEqual(new Set(defined).difference(new Set(used)), new Set());
  });

  // The platform omits empty elements from its own documents.
  if (!(inboundNames as readonly string[]).includes(name)) continue;

  test(`${name}.xsd lets an optional element be empty`, () => {
    for (const element of elements(document, "//xs:element[@minOccurs='0'][not(@maxOccurs)]")) {
      const type = element.attr("type")?.value ?? "";
      const simple = `/xs:schema/xs:simpleType[@name='${type}']`;
      const complex = `/xs:schema/xs:complexType[@name='${type}']`;
      const takesNothing = [
        `${simple}/xs:union[contains(@memberTypes, ' Empty')]`,
        `${simple}/xs:restriction[@base='xs:string'][not(xs:pattern)][not(xs:minLength)]`,
        `${complex}/xs:simpleContent/xs:extension[@base='Text' or starts-with(@base, 'Optional')]`,
        `${complex}/xs:all[@minOccurs='0' or not(xs:element[not(@minOccurs)])]`,
        `${complex}/xs:sequence[not(xs:element[not(@minOccurs)])]`,
      ];
      assert.notEqual(document.get(takesNothing.join(" | "), xs), null, `${labelOf(element)} of type ${type}`);
    }
  });
}

test("types that several schemas share are the same text in each", () => {
  const sharedKinds = /<xs:(simpleType|complexType) name="(\w+)">.*?<\/xs:\1>/gs;
  const textByName = new Map<string, string>();
  let shared = 0;
  for (const name of schemaNames) {
    for (const [text, kind, type] of readFileSync(schemaPath(name), "utf8").matchAll(sharedKinds)) {
      const isShared = kind === "simpleType" || type?.startsWith("Extended");
      if (!isShared) continue;
      const first = textByName.get(type as string);
      if (first === undefined) textByName.set(type as string, text);
      else shared++;
      assert.equal(text, first ?? text, `${type} in ${name}.xsd`);
    }
  }
  assert.ok(shared > 20, "the schemas do share types");
});

for (const name of outboundNames) {
  const schema = schemas.get(name) as XmlDocument;

  test(`${name}.xsd has the elements and the version that every outbound document has, and one order`, () => {
    const root = "/xs:schema/xs:element/xs:complexType";
    const children = attributesOf(schema, `${root}/xs:sequence/xs:element/@name`);
    assert.deepEqual(children.slice(0, 4), outboundHead);
    assert.equal(children.at(-1), "extendedAttributes");
    assert.deepEqual(attributesOf(schema, `${root}/xs:sequence/xs:element[last()]/@minOccurs`), ["0"]);
    const isFacilityOptional = elements(schema, `${root}/xs:sequence/xs:element[3][@minOccurs='0']`).length === 1;
    assert.equal(isFacilityOptional, name === "ACK");
    assert.deepEqual(attributesOf(schema, `${root}/xs:attribute[@use='required']/@name`), ["schemaVersion"]);
    assert.deepEqual(schema.find("//xs:all | //xs:choice", xs), []);
  });

  test(`the samples of ${name} use every element and XML attribute that the platform writes`, () => {
    const used = new Set<string>();
    for (const { schema: schemaName, bytes } of outboundExhibits()) {
      if (schemaName !== name) continue;
      const sample = XmlDocument.fromBuffer(bytes);
      for (const node of sample.find("//* | //@*")) used.add((node as XmlElement).name);
      sample.dispose();
    }
    const declared = new Set(attributesOf(schema, "//xs:element/@name | //xs:attribute[not(@name='name')]/@name"));
    // These elements have no contents yet.
    const unwritten = new Set(["extendedAttributes", "attribute"]);
    assert.deepEqual(declared.difference(used).difference(unwritten), new Set());
  });
}

for (const name of inboundNames) {
  test(`the sample ${name}.xml uses every element and XML attribute of its schema`, () => {
    const schema = schemas.get(name) as XmlDocument;
    const sample = XmlDocument.fromBuffer(readSample(`accepted/${name}.xml`));
    try {
      const used = new Set([...sample.find("//* | //@*")].map((node) => (node as XmlElement).name));
      const declared = new Set(attributesOf(schema, "//xs:element/@name | //xs:attribute/@name"));
      assert.deepEqual(declared.difference(used), new Set());
    } finally {
      sample.dispose();
    }
  });
}

function elements(document: XmlDocument, path: string): XmlElement[] {
  return document.find(path, xs).filter((node) => node instanceof XmlElement);
}

function attributesOf(document: XmlDocument, path: string): string[] {
  return document.find(path, xs).map((node: XmlNode) => node.content);
}

function documentationOf(declaration: XmlElement): string {
  return declaration.get("xs:annotation/xs:documentation", xs)?.content.replace(/\s+/g, " ").trim() ?? "";
}

function labelOf(declaration: XmlElement): string {
  return `${declaration.name} ${declaration.attr("name")?.value ?? ""}`;
}
