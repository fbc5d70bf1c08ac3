import type { ReadableFile, Refusal, WritableFile } from "#/sftp/file-system.ts";
import type { NamedAttributes } from "#/sftp/server/replies.ts";

export interface Reading {
  readonly kind: "reading";
  readonly file: ReadableFile;
}

export interface Writing {
  readonly kind: "writing";
  readonly file: WritableFile;
  /** Bytes go to the end, whatever the client says. */
  readonly isAppending: boolean;
  /** Something of it could not be written: it is no file any more, and cannot become one. */
  fault: Refusal | undefined;
}

export interface Listing {
  readonly kind: "listing";
  /** None when all have been told. */
  nextNames(): readonly NamedAttributes[];
}

export type OpenThing = Reading | Writing | Listing;

/** What a session has open, by the numbers that the client knows. */
export interface Handles {
  /** Whether another may be opened. */
  hasRoom(kind: "file" | "listing"): boolean;
  add(thing: OpenThing): number;
  find(handle: number): OpenThing | undefined;
  /** Whether a file is being read or written. */
  hasFile(): boolean;
  /** Forgets it. */
  take(handle: number): OpenThing | undefined;
  /** Forgets all. */
  takeAll(): OpenThing[];
}

export const handlesMax = 64;
/** Each holds up to 10 000 names. */
const listingsMax = 8;

export function createHandles(): Handles {
  const open = new Map<number, OpenThing>();
  let last = 0;
  return {
    hasRoom(kind) {
      if (open.size >= handlesMax) return false;
      if (kind === "file") return true;
      return [...open.values()].filter((thing) => thing.kind === "listing").length < listingsMax;
    },
    add(thing) {
      // Numbers are not used again: a handle that was closed must not mean another file.
      last = (last + 1) >>> 0;
      open.set(last, thing);
      return last;
    },
    find: (handle) => open.get(handle),
    hasFile: () => open.values().some((thing) => thing.kind !== "listing"),
    take(handle) {
      const thing = open.get(handle);
      open.delete(handle);
      return thing;
    },
    takeAll() {
      const all = [...open.values()];
      open.clear();
      return all;
    },
  };
}
