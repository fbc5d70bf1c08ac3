// Stock that is found, lost, held and counted.
import { anyLot, type Choice, facilities, incoming, lot, pick, report, serialsOf, skus, type World } from "./world.ts";

export const stockActions = {
  async findStock(world: World, { a, b, c }: Choice) {
    const sku = skus[a % skus.length] as string;
    const qty = 1 + (b % 8);
    const line = { sku, qty, ...incoming(world, sku, qty, c) };
    const adjustmentId = `ADJ-${++world.number}`;
    await report(world, facilities[c % 2] as string, "adjustment", {
      adjustmentId,
      reasonCode: "FOUND",
      lines: [line],
    });
  },
  async loseStock(world: World, { a, b }: Choice) {
    const found = await anyLot(world, a);
    if (!found) return;
    const qty = Math.min(found.qty, 1 + (b % 6));
    const serials = await serialsOf(world, found.facility, found.sku, qty);
    const line = { sku: found.sku, qty: -qty, condition: found.condition, ...lot(found) };
    await report(world, found.facility, "adjustment", {
      adjustmentId: `ADJ-${++world.number}`,
      reasonCode: "LOST",
      lines: [{ ...line, ...(found.sku === "SER" ? { serials } : {}) }],
    });
  },
  async changeCondition(world: World, { a, b, c }: Choice) {
    const found = await anyLot(world, a);
    if (!found) return;
    const toCondition = pick(["GOOD", "ON_HOLD", "DAMAGED", "QUARANTINE"], b) as string;
    const qty = Math.min(found.qty, 1 + (c % 4));
    const serials = await serialsOf(world, found.facility, found.sku, qty);
    const line = { sku: found.sku, qty, fromCondition: found.condition, toCondition, ...lot(found) };
    await report(world, found.facility, "hold", {
      reasonCode: "CONDITION",
      lines: [{ ...line, ...(found.sku === "SER" ? { serials } : {}) }],
    });
  },
  async count(world: World, { a, b, c }: Choice) {
    const found = await anyLot(world, a);
    // Serial numbers are counted individually, by another report.
    if (!found || found.sku === "SER") return;
    const line = { sku: found.sku, countedQty: b % 10, condition: found.condition, ...lot(found) };
    await report(world, found.facility, "count", {
      countId: `CNT-${++world.number}`,
      includesStaged: c % 2 === 0,
      lines: [line],
    });
  },
};
