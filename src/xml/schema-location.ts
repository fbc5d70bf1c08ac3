import type { Library } from "./library.ts";

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const attributeNames = ["schemaLocation", "noNamespaceSchemaLocation"];
const mark = Buffer.from("chemaLocation", "latin1");

/**
 * Takes every xsi:schemaLocation and xsi:noNamespaceSchemaLocation out of a document before it is validated: libxml2 would
 * look for the schemas they name, and remember each failed search in the compiled schema.
 *
 * @param utf8 the document's bytes: almost none has the word, and a search of the bytes costs less than one of the tree.
 */
export function dropSchemaLocations(library: Library, utf8: Uint8Array, root: number): void {
  if (!Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).includes(mark)) return;
  const { raw, nodes } = library;
  const pending = [root];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    for (let attribute = nodes.firstAttribute(element); attribute !== 0; ) {
      const next = nodes.next(attribute);
      if (attributeNames.includes(nodes.name(attribute)) && nodes.namespace(attribute) === instanceNamespace)
        raw._xmlRemoveProp(attribute);
      attribute = next;
    }
    for (let child = nodes.firstChild(element); child !== 0; child = nodes.next(child)) {
      if (nodes.isElement(child)) pending.push(child);
    }
  }
}
