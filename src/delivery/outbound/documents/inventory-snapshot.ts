import {
  block,
  type Envelope,
  leaf,
  turnsOfRows,
  writeDocument,
  type XmlLines,
} from "#/delivery/outbound/documents/envelope.ts";

/** INV: one part of a snapshot. Quantities are in stock units (lifecycle.md §8). */
export interface InventorySnapshotContent {
  readonly snapshotId: string;
  /** `YYYY-MM-DD` */
  readonly snapshotDate: string;
  readonly position: number;
  readonly part: number;
  readonly parts: number;
  readonly items: readonly InventorySnapshotItem[];
}

export interface InventorySnapshotItem {
  readonly sku: string;
  readonly stockPool: string;
  readonly uom: string;
  readonly onHand: number;
  readonly allocated: number;
  readonly onHold: number;
  readonly damaged: number;
  readonly available: number;
  readonly expected: number;
  readonly inReturn: number;
  readonly backordered: number;
}

export async function writeInventorySnapshot(envelope: Envelope, content: InventorySnapshotContent): Promise<Buffer> {
  const items: XmlLines[] = [];
  const nextRow = turnsOfRows();
  for (const item of content.items) {
    await nextRow();
    items.push(itemOf(item));
  }
  return writeDocument("inventorySnapshot", envelope, [
    leaf("snapshotId", content.snapshotId),
    leaf("snapshotDate", content.snapshotDate),
    leaf("position", content.position),
    leaf("part", content.part),
    leaf("parts", content.parts),
    block("items", items),
  ]);
}

function itemOf(item: InventorySnapshotItem): XmlLines {
  return block("item", [
    leaf("sku", item.sku),
    leaf("stockPool", item.stockPool),
    leaf("uom", item.uom),
    leaf("onHand", item.onHand),
    leaf("allocated", item.allocated),
    leaf("onHold", item.onHold),
    leaf("damaged", item.damaged),
    leaf("available", item.available),
    leaf("expected", item.expected),
    leaf("inReturn", item.inReturn),
    leaf("backordered", item.backordered),
  ]);
}
