import { refusalOfChange } from "#/intake/sftp/server/attributes.ts";
import { handlesMax, type OpenThing, type Writing } from "#/intake/sftp/server/handles.ts";
import type { OperationContext } from "#/intake/sftp/server/path-operations.ts";
import {
  attributesReply,
  dataReply,
  type Limits,
  limitsReply,
  namesReply,
  refusalReply,
  statusReply,
} from "#/intake/sftp/server/replies.ts";
import type { RequestOf } from "#/intake/sftp/server/requests.ts";

/** The limits of OpenSSH's own server, which its clients use. */
export const protocolLimits: Limits = {
  packetBytesMax: 256 * 1024,
  readBytesMax: 255 * 1024,
  writeBytesMax: 255 * 1024,
  handlesMax,
};

const fileKind = 0o100000;

/** Answers a request on an open handle. Throws the errors of the file. */
export function createHandleOperations({ handles, clock }: Pick<OperationContext, "handles" | "clock">) {
  function find<Kind extends OpenThing["kind"]>(
    handle: number,
    kind: Kind,
  ): Extract<OpenThing, { readonly kind: Kind }> | undefined {
    const thing = handles.find(handle);
    return thing?.kind === kind ? (thing as Extract<OpenThing, { readonly kind: Kind }>) : undefined;
  }

  /** The handle was never given, was closed, or has another type than requested. */
  const stranger = (id: number): Buffer => statusReply(id, "FAILURE", "The handle does not allow this operation.");

  async function closeWriting(id: number, { file, fault }: Writing): Promise<Buffer> {
    if (fault !== undefined) {
      await file.abandon();
      return refusalReply(id, fault);
    }
    const closed = await file.close();
    return closed.ok ? statusReply(id, "OK", "Done.") : refusalReply(id, closed.fault);
  }

  return {
    async read({ id, handle, offset, length }: RequestOf<"read">): Promise<Buffer> {
      const reading = find(handle, "reading");
      if (!reading) return stranger(id);
      const bytes =
        offset < reading.file.size
          ? await reading.file.read(offset, Math.min(length, protocolLimits.readBytesMax))
          : undefined;
      return bytes === undefined || (bytes.length === 0 && length > 0)
        ? statusReply(id, "EOF", "The file ends here.")
        : dataReply(id, bytes);
    },

    async write({ id, handle, offset, bytes }: RequestOf<"write">): Promise<Buffer> {
      const writing = find(handle, "writing");
      if (!writing) return stranger(id);
      if (writing.fault !== undefined) return refusalReply(id, writing.fault);
      try {
        const written = await writing.file.write(writing.isAppending ? writing.file.size : offset, bytes);
        if (written.ok) return statusReply(id, "OK", "Done.");
        writing.fault = written.fault;
        return refusalReply(id, written.fault);
      } catch (error) {
        writing.fault = { status: "FAILURE", message: "The file has a gap where a part of it could not be written." };
        throw error;
      }
    },

    async close({ id, handle }: RequestOf<"close">): Promise<Buffer> {
      const thing = handles.take(handle);
      if (thing === undefined) return stranger(id);
      if (thing.kind === "writing") return closeWriting(id, thing);
      if (thing.kind === "reading") await thing.file.close();
      return statusReply(id, "OK", "Done.");
    },

    async fstat({ id, handle }: RequestOf<"fstat">): Promise<Buffer> {
      const thing = handles.find(handle);
      if (thing === undefined || thing.kind === "listing") return stranger(id);
      const modifiedMs = thing.kind === "reading" ? thing.file.modifiedAtMs : clock.now();
      const seconds = Math.floor(modifiedMs / 1000);
      const mode = fileKind | (thing.kind === "reading" ? 0o444 : 0o200);
      return attributesReply(id, { size: thing.file.size, mode, times: { accessed: seconds, modified: seconds } });
    },

    async fsetstat({ id, handle, attributes }: RequestOf<"fsetstat">): Promise<Buffer> {
      const writing = find(handle, "writing");
      if (!writing) return stranger(id);
      const fault = refusalOfChange(attributes, { size: writing.file.size });
      return fault === undefined ? statusReply(id, "OK", "Done.") : refusalReply(id, fault);
    },

    async readdir({ id, handle }: RequestOf<"readdir">): Promise<Buffer> {
      const listing = find(handle, "listing");
      if (!listing) return stranger(id);
      const names = listing.nextNames();
      return names.length === 0 ? statusReply(id, "EOF", "End of the list.") : namesReply(id, names);
    },

    /** A closed file is committed: before that there is nothing to wait for. */
    async fsync({ id, handle }: RequestOf<"fsync">): Promise<Buffer> {
      const writing = find(handle, "writing");
      if (!writing) return stranger(id);
      return writing.fault === undefined ? statusReply(id, "OK", "Done.") : refusalReply(id, writing.fault);
    },

    limits: async ({ id }: RequestOf<"limits">): Promise<Buffer> => limitsReply(id, protocolLimits),

    unknown: async ({ id, what }: RequestOf<"unknown">): Promise<Buffer> =>
      statusReply(id, "OP_UNSUPPORTED", `${/^[\w@. -]{1,80}$/.test(what) ? what : "That"} is not served here.`),
  };
}
