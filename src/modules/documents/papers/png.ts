import { inflateSync } from "node:zlib";

const signature = "\x89PNG\r\n\x1a\n";
/** The samples of a dot by colour type (W3C PNG, third edition, 11.2.1). */
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const pointsPerMetre = 72 / 0.0254;
/** A4 and a little more: a resolution for screens would make a label larger. */
const metresMax = 0.3;
/** The short side of a label of 4 × 6 inches, in points. */
const shortSide = 288;
/** An A4 page of 600 dpi in colour. */
const bytesMax = 105_000_000;

/**
 * The size of a PNG on paper, in points: that of its resolution; if it has none, or one for screens, its short side is that
 * of a label.
 *
 * @throws if it is damaged, or its dots would take more than 105 MB
 */
export function readPng(png: Uint8Array): { readonly width: number; readonly height: number } {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const chunks = new Map<string, Buffer[]>();
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const [length, type] = [bytes.readUInt32BE(at), bytes.toString("latin1", at + 4, at + 8)];
    const ofType = chunks.get(type) ?? [];
    chunks.set(type, ofType);
    ofType.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [header, resolution] = [chunks.get("IHDR")?.[0], chunks.get("pHYs")?.[0]];
  if (header?.length !== 13 || !chunks.has("IEND")) throw new Error("the PNG is damaged");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  checkDots(Buffer.concat(chunks.get("IDAT") ?? []), Math.ceil((width * bitsOf(header)) / 8) * height);
  const [perMetreX, perMetreY] =
    resolution?.[8] === 1 ? [resolution.readUInt32BE(0), resolution.readUInt32BE(4)] : [0, 0];
  const isForPaper = perMetreX > 0 && perMetreY > 0 && Math.max(width / perMetreX, height / perMetreY) <= metresMax;
  if (isForPaper) return { width: (width / perMetreX) * pointsPerMetre, height: (height / perMetreY) * pointsPerMetre };
  const scale = shortSide / Math.min(width, height);
  return { width: width * scale, height: height * scale };
}

const bitsOf = (header: Buffer) => (header[8] as number) * (samplesOf[header[9] as number] ?? 0);

/** A damaged picture would end the printing thread, and a tiny one may claim any size. */
function checkDots(data: Buffer, bytes: number): void {
  if (bytes === 0) throw new Error("the PNG is damaged");
  if (bytes > bytesMax) throw new Error("the PNG has too many dots");
  try {
    // Rows have a byte for their filter; an interlaced picture has more of them.
    if (inflateSync(data, { maxOutputLength: 3 * bytes + 65_536 }).length < bytes) throw new Error("too few dots");
  } catch (cause) {
    throw new Error("the PNG is damaged", { cause });
  }
}
