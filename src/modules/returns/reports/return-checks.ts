import { conflict, type Refusal, unprocessable, unprocessableField } from "#/kernel/refusal.ts";
import { quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import { faultsOfLot, type ItemRules } from "#/modules/catalogue/index.ts";
import { findSerials } from "#/modules/inventory/index.ts";
import {
  type ExpectedLine,
  type GradedGoods,
  type ReturnedGoods,
  refusalOfReturn,
} from "#/modules/returns/reports/grading-domain.ts";
import type { ReturnMatter } from "#/modules/returns/reports/return-matter.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** All faults of the returned goods except those of their serial numbers. */
export function faultsOfReturn(
  { header, objectId, lines }: ReturnMatter,
  goods: readonly ReturnedGoods[],
  rules: ReadonlyMap<string, ItemRules>,
  isClosing: boolean,
): Refusal[] {
  const faults: Refusal[] = [];
  const refusal = header && refusalOfReturn(header.status, goods.length > 0, isClosing);
  if (refusal !== undefined) faults.push(conflict(`Return ${objectId}: ${refusal}.`));
  if (!header && goods.length === 0) faults.push(unprocessable(`Return ${objectId}: the report has no lines.`));
  const known = new Set(lines.map(({ lineNumber }) => lineNumber));
  for (const [i, { lineNumber, sku, qty, serials, ...lot }] of goods.entries()) {
    const item = rules.get(sku);
    const fault = (field: string, text: string) => faults.push(unprocessableField(i, field, text));
    if (!item) fault("sku", `SKU ${sku} is not known; send it with a CAT first`);
    // A blind return has no lines; its line numbers have no meaning.
    if (lineNumber !== undefined && known.size > 0 && !known.has(lineNumber)) {
      fault("lineNumber", `line ${lineNumber} is not on return ${objectId}`);
    }
    // An invalid quantity has already been reported.
    const wrong = item && qty > 0 ? faultsOfLot(item, qty, { ...lot, serials }) : [];
    for (const { field, message } of wrong) fault(field, message);
  }
  return faults;
}

/**
 * A returned serial number must have left: it is not in stock, and if the order of the goods is known, its departure is
 * recorded. For unannounced goods the serial number may be unknown.
 */
export async function faultsOfReturnedSerials(
  tx: ClientTx,
  hasSerials: (sku: string) => boolean,
  graded: readonly GradedGoods[],
  isKnownOrder: boolean,
): Promise<Refusal[]> {
  const units = graded
    .filter(({ sku }) => hasSerials(sku))
    .flatMap(({ sku, lineNumber, serials = [] }) => serials.map((serial) => ({ sku, serial, lineNumber })));
  const keyOf = ({ sku, serial }: { sku: string; serial: string }) => JSON.stringify([sku, serial]);
  const places = await findSerials(tx, units);
  const stateOf = new Map(places.map((place) => [keyOf(place), place.state]));
  const faults: Refusal[] = [];
  const seen = new Set<string>();
  for (const unit of units) {
    const name = `Serial ${unit.serial} of SKU ${unit.sku}`;
    const state = stateOf.get(keyOf(unit));
    if (seen.has(keyOf(unit))) faults.push(unprocessable(`${name} is on two lines.`));
    seen.add(keyOf(unit));
    if (state === "IN_STOCK") faults.push(conflict(`${name} is in stock; it cannot come back.`));
    if (state === undefined && isKnownOrder && unit.lineNumber !== undefined) {
      faults.push(conflict(`${name} is not known; it has not left here.`));
    }
  }
  return faults;
}

/** Lines whose total would exceed the highest quantity. */
export function faultsOfTotals(lines: readonly Pick<ExpectedLine, "lineNumber" | "sku" | "received">[]): Refusal[] {
  return lines
    .filter(({ received }) => received > quantityMaxThousandths)
    .map(({ lineNumber, sku }) =>
      unprocessable(`Line ${lineNumber}: the returned quantity of SKU ${sku} would be too large.`),
    );
}
