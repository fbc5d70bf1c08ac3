import type { ReadableFile, Refusal, WritableFile } from "#/intake/sftp/file-system.ts";
import type { NamedAttributes } from "#/intake/sftp/server/replies.ts";

export interface Reading {
  readonly kind: "reading";
  readonly file: ReadableFile;
}

export interface Writing {
  readonly kind: "writing";
  readonly file: WritableFile;
  /** Bytes are appended, whatever offset the client sends. */
  readonly isAppending: boolean;
  /** A part of the file could not be written: the file cannot be completed any more. */
  fault: Refusal | undefined;
}

export interface Listing {
  readonly kind: "listing";
  /** Returns none when all have been sent. */
  nextNames(): readonly NamedAttributes[];
}

export type OpenThing = Reading | Writing | Listing;

/** The open files and listings of a session, by their handle numbers. */
export interface Handles {
  /** Whether another one may be opened. */
  hasRoom(kind: "file" | "listing"): boolean;
  add(thing: OpenThing): number;
  find(handle: number): OpenThing | undefined;
  /** Whether a file is being read or written. */
  hasFile(): boolean;
  /** Removes the handle and returns its content. */
  take(handle: number): OpenThing | undefined;
  /** Removes all handles and returns their contents. */
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
      // Numbers are not reused: a closed handle must not refer to another file.
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
