import { crc32 } from "node:zlib";

/** Bit 11: names are UTF-8 (APPNOTE 4.4.4). */
const utf8Names = 0x800;
/** 1 January 1980, the first day of the format: the same files make the same archive. */
const firstDay = 0x21;

/** A ZIP archive of texts without compression (PKWARE APPNOTE 6.3). @param files by their paths. */
export function zipOf(files: ReadonlyMap<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [file, text] of files) {
    const [name, bytes] = [Buffer.from(file), Buffer.from(text)];
    // Version, flags, method, time, day, checksum, both sizes, length of the name, no extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Names, 2);
    common.writeUInt16LE(firstDay, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, name);
    const entry = [Buffer.from("PK\x03\x04", "latin1"), common, name, bytes];
    parts.push(...entry);
    offset += entry.reduce((sum, part) => sum + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
