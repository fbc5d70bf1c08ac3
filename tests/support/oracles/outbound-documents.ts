import type { TestServer } from "../app/server.ts";
import { parseXml, type XmlNode } from "./xml-tree.ts";

/** The documents of a type that a client got, in the order of its list, by their object. */
export async function listDocuments(
  server: TestServer,
  clientId: string,
  type: string,
): Promise<ReadonlyMap<string, readonly XmlNode[]>> {
  const rows = await server.rows<{ object_id: string; payload: Buffer }>(
    "select object_id, payload from outbound_document where client_id = $1 and type = $2 order by list_position",
    clientId,
    type,
  );
  const documents = new Map<string, XmlNode[]>();
  for (const { object_id, payload } of rows)
    documents.set(object_id, [...(documents.get(object_id) ?? []), parseXml(payload.toString())]);
  return documents;
}
