import {
  block,
  type Envelope,
  leaf,
  turnsOfRows,
  writeDocument,
  type XmlLines,
} from "#/delivery/outbound/documents/envelope.ts";

/** IMS: one part of a movement statement. Quantities are in stock units. */
export interface MovementStatementContent {
  readonly fromPosition: number;
  readonly toPosition: number;
  readonly part: number;
  readonly parts: number;
  readonly items: readonly MovementStatementItem[];
}

export interface MovementStatementItem {
  readonly sku: string;
  readonly opening: number;
  readonly closing: number;
  readonly movements: readonly StatedMovement[];
}

export interface StatedMovement {
  readonly movementId: string;
  readonly type: string;
  /** Signed: the change of onHand. */
  readonly qty: number;
  readonly condition: string;
  readonly referenceType: string;
  readonly referenceId: string;
  /** ISO 8601 UTC. */
  readonly timeStamp: string;
}

export async function writeMovementStatement(envelope: Envelope, content: MovementStatementContent): Promise<Buffer> {
  const items: XmlLines[] = [];
  const nextRow = turnsOfRows();
  for (const item of content.items) {
    const movements: XmlLines[] = [];
    for (const movement of item.movements) {
      await nextRow();
      movements.push(movementOf(movement));
    }
    items.push(itemOf(item, movements));
  }
  return writeDocument("inventoryMovementStatement", envelope, [
    leaf("fromPosition", content.fromPosition),
    leaf("toPosition", content.toPosition),
    leaf("part", content.part),
    leaf("parts", content.parts),
    block("items", items),
  ]);
}

function itemOf({ sku, opening, closing }: MovementStatementItem, movements: readonly XmlLines[]): XmlLines {
  return block("item", [
    leaf("sku", sku),
    leaf("opening", opening),
    leaf("closing", closing),
    block("movements", movements),
  ]);
}

function movementOf(movement: StatedMovement): XmlLines {
  return block("movement", [
    leaf("movementId", movement.movementId),
    leaf("type", movement.type),
    leaf("qty", movement.qty),
    leaf("condition", movement.condition),
    leaf("reference", movement.referenceId, { type: movement.referenceType }),
    leaf("timeStamp", movement.timeStamp),
  ]);
}
