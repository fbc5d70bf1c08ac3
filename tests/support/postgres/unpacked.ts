// Stored rows as the program reads them: packed contents (src/store/packed) unpacked.
import { unpackBytes, unpackJson } from "#/store/packed/packed.ts";

/** The row with its column `data` as an object, and its column `payload` as the bytes of a document. */
export function unpackedRow<Row>(row: Row): Row {
  const { data, payload } = row as { readonly data?: unknown; readonly payload?: unknown };
  if (typeof data !== "string" && !Buffer.isBuffer(payload)) return row;
  return {
    ...row,
    ...(typeof data === "string" ? { data: unpackJson(data) } : {}),
    ...(Buffer.isBuffer(payload) ? { payload: unpackBytes(payload) } : {}),
  };
}
