// Other stock work: graded returns; goods that are assembled, counted, damaged or put on hold.

import { ok } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { listOpenCounts } from "#/modules/inventory/index.ts";
import { changeLot } from "#/modules/lots/index.ts";
import { createTransfer } from "#/modules/transfers/index.ts";
import { releaseCount } from "#/modules/warehouse/index.ts";
import { cancelWorkOrder, createWorkOrder } from "#/modules/workorders/index.ts";
import { brandOf, clientOf } from "#/sandbox/demo/brands.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { linesOf, returnXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";

/** A report of the warehouse. No two of a kind have the same facility and hour. */
type Report = (hoursAgo: number, facilityCode: string, kind: string, clientId: string, body: object) => Besides;

export function stockWork(world: DemoWorld): Besides[] {
  const report: Report = (hoursAgo, facilityCode, kind, clientId, body) => ({
    hoursAgo,
    run: () =>
      world.report(facilityCode, kind, { clientId, ...body, reportId: `demo-${kind}-${facilityCode}-${hoursAgo}` }),
  });
  return [
    ...returnsOf(world, report),
    ...assemblyOf(world, report),
    ...transfersOf(world, report),
    ...unidentifiedOf(report),
    ...corrections(report),
    requestedCount(world),
    recall(world),
  ];
}

function returnsOf(world: DemoWorld, report: Report): Besides[] {
  const authorise = (hoursAgo: number, rmaNumber: string, lines: string, orderId?: string): Besides => {
    const clientId = clientOf(rmaNumber);
    const facilityCode = brandOf(clientId).facilities[0] as string;
    const xml = returnXml({ clientId, rmaNumber, facilityCode, orderId, lines });
    return { hoursAgo, run: () => world.send({ clientId, type: "RMA", xml, key: `demo-${rmaNumber}` }) };
  };
  return [
    authorise(30, "RMA-LL-41", "CANDLE-FIG-220 2 CHANGED_MIND", "LL-10003"),
    authorise(30, "RMA-LL-42", "THROW-WOOL 1 DAMAGED, CUSHION-LINEN 2 WRONG_COLOUR"),
    authorise(30, "RMA-LL-43", "VASE-TERRA-S 3 DAMAGED"),
    authorise(5, "RMA-LL-44", "CANDLE-MOSS-220 1 NOT_AS_DESCRIBED"),
    authorise(30, "RMA-FP-12", "MUG-ENAMEL 2 DAMAGED"),
    authorise(5, "RMA-FP-13", "APRON-LINEN 1 SIZE"),
    report(24, "DC1", "return", "LUMEN", {
      rmaNumber: "RMA-LL-42",
      returnId: "RET-LL-42",
      close: true,
      lines: [
        { lineNumber: 1, sku: "THROW-WOOL", qty: 1, disposition: "DAMAGED", note: "a pulled thread" },
        { lineNumber: 2, sku: "CUSHION-LINEN", qty: 1, disposition: "RESELLABLE" },
        { lineNumber: 2, sku: "CUSHION-LINEN", qty: 1, disposition: "QUARANTINE", note: "stain, to be looked at" },
      ],
    }),
    report(8, "DC1", "return", "LUMEN", {
      rmaNumber: "RMA-LL-43",
      returnId: "RET-LL-43",
      lines: [
        { lineNumber: 1, sku: "VASE-TERRA-S", qty: 1, disposition: "SCRAP", note: "broken" },
        { sku: "CANDLE-FIG-220", qty: 1, disposition: "RESELLABLE", note: "was in the same box" },
      ],
    }),
    report(8, "DC2", "return", "FJORD", {
      rmaNumber: "RMA-FP-12",
      returnId: "RET-FP-12",
      close: true,
      lines: [{ lineNumber: 1, sku: "MUG-ENAMEL", qty: 2, disposition: "RESELLABLE" }],
    }),
    // A blind return, without an announcement.
    report(3, "DC1", "return", "LUMEN", {
      returnId: "RET-LL-BLIND-1",
      lines: [{ sku: "CUSHION-LINEN", qty: 2, disposition: "QUARANTINE", note: "no paper in the box" }],
    }),
    report(3, "DC2", "return", "FJORD", {
      returnId: "RET-FP-BLIND-1",
      lines: [{ sku: "KNIFE-FILLET", qty: 1, disposition: "QUARANTINE", note: "sender unknown" }],
    }),
  ];
}

function assemblyOf(world: DemoWorld, report: Report): Besides[] {
  const create = (
    hoursAgo: number,
    workOrderId: string,
    [finishedGoodSku, qty]: readonly [string, number],
    components: string,
  ): Besides => ({
    hoursAgo,
    async run() {
      const clientId = clientOf(workOrderId);
      const request = {
        clientId,
        workOrderId,
        facilityCode: brandOf(clientId).facilities[0] as string,
        finishedGoodSku,
        qty,
        components: linesOf(components).map(([sku, qtyPer]) => ({ sku, qtyPer })),
        dueDate: new Date(world.beganMs + 2 * dayMs).toISOString(),
        notes: "For the season's start",
      };
      await world.act(clientId, `client:${clientId}`, (tx, change) =>
        createWorkOrder(tx.of(clientId, change), request),
      );
    },
  });
  const assemble = (hoursAgo: number, facilityCode: string, workOrderId: string, body: object) =>
    report(hoursAgo, facilityCode, "workOrder", clientOf(workOrderId), { workOrderId, ...body });
  const kit = "CANDLE-FIG-220 1, VASE-TERRA-S 1, CUSHION-LINEN 1";
  const hamper = "HAMPER-BOX 1, SALT-FLAKES-125 1, MUG-ENAMEL 2";
  return [
    create(30, "WO-LL-1", ["HOME-KIT", 10], kit),
    assemble(24, "DC1", "WO-LL-1", { finishedGood: { qty: 10 } }),
    create(30, "WO-LL-2", ["HOME-KIT", 20], kit),
    assemble(4, "DC1", "WO-LL-2", { finishedGood: { qty: 8 } }),
    // The planter is out of stock, so the work order waits.
    create(5, "WO-LL-3", ["HOME-KIT", 12], `${kit}, PLANTER-20 1`),
    create(5, "WO-LL-4", ["HOME-KIT", 5], kit),
    create(30, "WO-FP-1", ["HAMPER-CLASSIC", 6], hamper),
    assemble(24, "DC2", "WO-FP-1", { finishedGood: { qty: 4 }, close: true }),
    create(5, "WO-FP-2", ["HAMPER-CLASSIC", 200], hamper),
    create(5, "WO-FP-3", ["HAMPER-CLASSIC", 3], hamper),
    {
      hoursAgo: 3,
      run: () =>
        world.act("FJORD", "user:joris", (tx, change) =>
          cancelWorkOrder(tx.of("FJORD", change), { workOrderId: "WO-FP-3" }, "not wanted any more"),
        ),
    },
  ];
}

/** One transfer in transit, one received short, and one that waits for the warehouse. */
function transfersOf(world: DemoWorld, report: Report): Besides[] {
  const create = (hoursAgo: number, transferId: string, goods: string): Besides => ({
    hoursAgo,
    async run() {
      const clientId = clientOf(transferId);
      const [fromFacility, toFacility] = brandOf(clientId).facilities as readonly [string, string];
      const lines = linesOf(goods).map(([sku, qty]) => ({ sku, qty }));
      await world.act(clientId, `client:${clientId}`, (tx, change) =>
        createTransfer(tx.of(clientId, change), { transferId, fromFacility, toFacility, lines }),
      );
    },
  });
  const ship = (hoursAgo: number, facilityCode: string, transferId: string, goods: string) =>
    report(hoursAgo, facilityCode, "transfer", clientOf(transferId), {
      transferId,
      carrierCode: "HAULIER",
      trackingNumber: `CN-${transferId}`,
      lines: linesOf(goods).map(([sku, qty]) => ({ sku, qty })),
    });
  return [
    create(30, "TR-LL-1", "CUSHION-LINEN 40, VASE-TERRA-S 12"),
    ship(23, "DC1", "TR-LL-1", "CUSHION-LINEN 40, VASE-TERRA-S 12"),
    create(5, "TR-LL-2", "CUSHION-LINEN 10"),
    create(30, "TR-FP-1", "MUG-ENAMEL 24"),
    ship(23, "DC2", "TR-FP-1", "MUG-ENAMEL 24"),
    report(4, "DC1", "goodsReceipt", "FJORD", {
      poNumber: "TR-FP-1",
      receiptId: "RCV-TR-FP-1",
      closeOrder: true,
      lines: [
        { sku: "MUG-ENAMEL", qty: 21 },
        { sku: "MUG-ENAMEL", qty: 1, condition: "DAMAGED" },
      ],
    }),
  ];
}

/** Goods without a paper, which wait for their purchase order. */
function unidentifiedOf(report: Report): Besides[] {
  return [
    report(6, "DC1", "unidentifiedReceipt", "LUMEN", {
      receiptId: "RCV-LL-UNKNOWN-1",
      packages: 2,
      carrierCode: "HAULIER",
      trackingNumber: "CN-77120",
      marks: "Oak & Sons, order 1180",
      lines: [{ sku: "VASE-TERRA-S", qty: 12 }],
    }),
    report(6, "DC2", "unidentifiedReceipt", "FJORD", {
      receiptId: "RCV-FP-UNKNOWN-1",
      packages: 1,
      marks: "Fragile",
    }),
  ];
}

/** A count that an operator asked for, with a difference above the tolerance: it waits for approval. */
function requestedCount(world: DemoWorld): Besides {
  return {
    hoursAgo: 2,
    async run() {
      const client = await world.client("LUMEN");
      const scope = { sku: "CUSHION-LINEN", condition: "GOOD" } as const;
      const request = { facilityCode: "DC1", scope, isBlind: true, note: "Mezzanine too" };
      await world.act("LUMEN", "user:joris", async (tx, change) => {
        const requested = await releaseCount(tx.of("LUMEN", change), client, request);
        return requested.ok ? ok({ answer: requested.value, events: [] }) : requested;
      });
      // After a kill the count may be reported already: the repeat gets the first answer.
      const open = await listOpenCounts(world.database.of("LUMEN"), "DC1");
      const countId = open.find(({ cause }) => cause === "OPERATOR")?.countId;
      const lines = [{ sku: "CUSHION-LINEN", countedQty: 560 }];
      if (countId !== undefined) await world.report("DC1", "count", { clientId: "LUMEN", countId, lines });
    },
  };
}

/** A lot of honey that customers have, an order has picked, and others had allocated, is recalled: what is left is on hold. */
function recall(world: DemoWorld): Besides {
  const lot = { clientId: "FJORD", sku: "HONEY-HEATHER-340", lotNumber: "B-26100" };
  return {
    hoursAgo: 1,
    run: () =>
      world.act("FJORD", "user:priya", (tx, change) =>
        changeLot(tx.of("FJORD", change), "hold", { ...lot, reason: "Recall FP-2026-3: splinters of glass" }),
      ),
  };
}

function corrections(report: Report): Besides[] {
  const adjust = (hoursAgo: number, facilityCode: string, adjustmentId: string, reasonCode: string, line: string) => {
    const lines = linesOf(line).map(([sku, qty]) => ({ sku, qty }));
    return report(hoursAgo, facilityCode, "adjustment", clientOf(adjustmentId), { adjustmentId, reasonCode, lines });
  };
  const regrade = (hoursAgo: number, facilityCode: string, clientId: string, reasonCode: string, moves: string) => {
    const lines = moves.split(", ").map((move) => {
      const [sku, qty, fromCondition, toCondition] = move.split(" ");
      return { sku, qty: Number(qty), fromCondition, toCondition };
    });
    return report(hoursAgo, facilityCode, "hold", clientId, { reasonCode, lines });
  };
  return [
    adjust(24, "DC1", "ADJ-LL-1", "DAMAGE", "VASE-TERRA-S -3"),
    regrade(23, "DC1", "LUMEN", "CONDITION", "CANDLE-MOSS-220 40 GOOD ON_HOLD, THROW-WOOL 5 GOOD QUARANTINE"),
    regrade(8, "DC1", "LUMEN", "CONDITION", "CANDLE-MOSS-220 15 ON_HOLD GOOD"),
    report(8, "DC1", "count", "LUMEN", { countId: "CNT-LL-1", lines: [{ sku: "CUSHION-LINEN", countedQty: 610 }] }),
    regrade(23, "DC2", "FJORD", "DAMAGE", "APRON-LINEN 4 GOOD DAMAGED"),
    adjust(5, "DC2", "ADJ-FP-1", "FOUND", "SALT-FLAKES-125 12"),
    adjust(5, "DC1", "ADJ-DEMO-1", "DAMAGE", "TEE-L -2"),
    regrade(4, "DC1", "DEMO", "CONDITION", "BOTTLE-STEEL-750 24 GOOD ON_HOLD, TOTE-CANVAS 6 GOOD DAMAGED"),
  ];
}
