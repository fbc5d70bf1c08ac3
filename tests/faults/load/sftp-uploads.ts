// Files to upload: orders and catalogues, small ones, and large ones that are buffered in the store.
import { orderXml, skus } from "./sender.ts";

export const clientId = "DEMO";

export interface Upload {
  readonly folder: "NO" | "CAT";
  readonly name: string;
  readonly bytes: Buffer;
  readonly orderId: string | undefined;
  readonly lines: number;
  /** Uploaded under a temporary name, then renamed. */
  readonly isRenamed: boolean;
  /** The first fetched ACK of the complete file. */
  ack?: string;
  /** The incomplete file, if it was closed too early. */
  broken?: { readonly bytes: Buffer; isAnswered: boolean };
}

export const pathOf = ({ folder, name }: Upload): string => `/inbound/${folder}/${name}`;

/** The nth file; all files differ. */
export function makeUpload(n: number, random: () => number): Upload {
  const isRenamed = random() < 0.25;
  if (random() < 0.2) {
    const bytes = Buffer.from(catalogueXml(n, 20_000 + Math.floor(random() ** 3 * 1_500_000)));
    return { folder: "CAT", name: `items-${n}.xml`, bytes, orderId: undefined, lines: 0, isRenamed };
  }
  const orderId = `SFTP-${n}`;
  const lines = 1 + Math.floor(random() * 5);
  return {
    folder: "NO",
    name: `order-${n}.xml`,
    bytes: Buffer.from(orderXml(orderId, lines)),
    orderId,
    lines,
    isRenamed,
  };
}

/** Few items with long texts, because the test concerns the transport, not the catalogue. */
function catalogueXml(n: number, bytes: number): string {
  const item = (i: number) =>
    `<item><sku>${skus[i % skus.length]}-${Math.floor(i / skus.length)}</sku><name>File ${n}, ${"word ".repeat(20)}</name></item>`;
  const many = Math.ceil(bytes / item(0).length);
  const items = Array.from({ length: many }, (_, i) => item(i)).join("");
  return `<itemMaster><clientId>${clientId}</clientId><date>2026-01-01T00:00:00Z</date>${items}</itemMaster>`;
}
