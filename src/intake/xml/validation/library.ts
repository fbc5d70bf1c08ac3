import loadLibxml2, { type LibXml2 } from "libxml2-wasm/lib/libxml2raw.mjs";
import { Nodes } from "#/intake/xml/parse/nodes.ts";

// libxml2 in a separate wasm instance, with the one error function to which all its parts report.

// 32-bit word offsets in struct _xmlError of libxml2-wasm 0.7.2; checked by the self-test.
const errorAt = {
  code: 1,
  message: 2,
  level: 3,
  line: 5,
  text1: 6,
  text2: 7,
  number: 9,
  column: 10,
  node: 12,
} as const;
const messageBytesMax = 300;

/** XML_ERR_ERROR of libxml2; below it are warnings. */
export const errorLevel = 2;

/** One report of libxml2; its strings are copied only on demand, and only while libxml2 makes the report. */
export class LibraryError {
  readonly #library: LibXml2;
  readonly #nodes: Nodes;
  pointer = 0;

  constructor(library: LibXml2, nodes: Nodes) {
    this.#library = library;
    this.#nodes = nodes;
  }

  get code(): number {
    return this.#word(errorAt.code);
  }
  get level(): number {
    return this.#word(errorAt.level);
  }
  get line(): number {
    return this.#word(errorAt.line);
  }
  get column(): number {
    return this.#word(errorAt.column);
  }
  get number(): number {
    return this.#word(errorAt.number);
  }
  get node(): number {
    return this.#word(errorAt.node);
  }
  get message(): string {
    return this.#string(errorAt.message);
  }
  get text1(): string {
    return this.#string(errorAt.text1);
  }
  get text2(): string {
    return this.#string(errorAt.text2);
  }

  #word(offset: number): number {
    return this.#nodes.words[(this.pointer >> 2) + offset] as number;
  }

  #string(offset: number): string {
    const pointer = this.#word(offset);
    return pointer === 0 ? "" : this.#library.UTF8ToString(pointer, messageBytesMax).trim();
  }
}

export interface Library {
  readonly raw: LibXml2;
  readonly nodes: Nodes;
  /** Pointer of the error function, to be set on every context. */
  readonly errorFunction: number;
  /**
   * Runs a call into libxml2 and passes each of its reports to `onError`, which must not throw, because wasm frames are
   * below it on the stack.
   */
  collect<T>(onError: (error: LibraryError) => void, call: () => T): T;
  /** Copies bytes into wasm memory, zero-terminated, for the duration of the call. */
  withBytes<T>(bytes: Uint8Array, call: (pointer: number) => T): T;
}

export async function loadLibrary(): Promise<Library> {
  const raw = await loadLibxml2();
  raw._xmlInitParser();
  const nodes = new Nodes(raw);
  const report = new LibraryError(raw, nodes);
  let listener: ((error: LibraryError) => void) | undefined;
  const errorFunction = raw.addFunction((_context: number, error: number) => {
    nodes.refresh();
    report.pointer = error;
    listener?.(report);
  }, "vii");
  return {
    raw,
    nodes,
    errorFunction,
    collect(onError, call) {
      listener = onError;
      try {
        return call();
      } finally {
        listener = undefined;
        nodes.refresh();
      }
    },
    withBytes(bytes, call) {
      const pointer = raw._malloc(bytes.length + 1);
      if (pointer === 0) throw new Error(`libxml2 has no memory left for ${bytes.length} bytes`);
      try {
        raw.HEAPU8.set(bytes, pointer);
        raw.HEAPU8[pointer + bytes.length] = 0;
        return call(pointer);
      } finally {
        raw._free(pointer);
      }
    },
  };
}
