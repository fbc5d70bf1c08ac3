// Other stock work: graded returns; goods that are assembled, counted, damaged or put on hold.

import { ok } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { listOpenCounts } from "#/modules/inventory/index.ts";
import { releaseCount } from "#/modules/warehouse/index.ts";
import { cancelWorkOrder, createWorkOrder } from "#/modules/workorders/index.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { returnXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";

/** In chronological order; each entry names its hour. */
export function stockWork(world: DemoWorld): Besides[] {
  return [...returnsOf(world), ...assemblyOf(world), ...corrections(world)];
}

function returnsOf(world: DemoWorld): Besides[] {
  const authorise = (
    hoursAgo: number,
    clientId: string,
    rmaNumber: string,
    lines: readonly (readonly [string, number, string])[],
    more: { readonly orderId?: string; readonly facilityCode?: string } = {},
  ): Besides => ({
    hoursAgo,
    async run() {
      const { orderId, facilityCode = clientId === "FJORD" ? "DC2" : "DC1" } = more;
      const xml = returnXml({ clientId, rmaNumber, facilityCode, orderId, lines });
      await world.send({ clientId, type: "RMA", xml, key: `demo-${rmaNumber}` });
    },
  });
  const grade = (
    hoursAgo: number,
    facilityCode: string,
    body: { readonly returnId: string; readonly [name: string]: unknown },
  ): Besides => ({
    hoursAgo,
    async run() {
      await world.report(facilityCode, "return", { ...body, reportId: `demo-${body.returnId}` });
    },
  });
  return [
    authorise(30, "LUMEN", "RMA-LL-41", [["CANDLE-FIG-220", 2, "CHANGED_MIND"]], { orderId: "LL-10003" }),
    authorise(30, "LUMEN", "RMA-LL-42", [
      ["THROW-WOOL", 1, "DAMAGED"],
      ["CUSHION-LINEN", 2, "WRONG_COLOUR"],
    ]),
    authorise(30, "LUMEN", "RMA-LL-43", [["VASE-TERRA-S", 3, "DAMAGED"]]),
    authorise(5, "LUMEN", "RMA-LL-44", [["CANDLE-MOSS-220", 1, "NOT_AS_DESCRIBED"]]),
    authorise(30, "FJORD", "RMA-FP-12", [["MUG-ENAMEL", 2, "DAMAGED"]]),
    authorise(5, "FJORD", "RMA-FP-13", [["APRON-LINEN", 1, "SIZE"]]),
    grade(24, "DC1", {
      clientId: "LUMEN",
      rmaNumber: "RMA-LL-42",
      returnId: "RET-LL-42",
      close: true,
      lines: [
        { lineNumber: 1, sku: "THROW-WOOL", qty: 1, disposition: "DAMAGED", note: "a pulled thread" },
        { lineNumber: 2, sku: "CUSHION-LINEN", qty: 1, disposition: "RESELLABLE" },
        { lineNumber: 2, sku: "CUSHION-LINEN", qty: 1, disposition: "QUARANTINE", note: "stain, to be looked at" },
      ],
    }),
    grade(8, "DC1", {
      clientId: "LUMEN",
      rmaNumber: "RMA-LL-43",
      returnId: "RET-LL-43",
      lines: [
        { lineNumber: 1, sku: "VASE-TERRA-S", qty: 1, disposition: "SCRAP", note: "broken" },
        { sku: "CANDLE-FIG-220", qty: 1, disposition: "RESELLABLE", note: "was in the same box" },
      ],
    }),
    grade(8, "DC2", {
      clientId: "FJORD",
      rmaNumber: "RMA-FP-12",
      returnId: "RET-FP-12",
      close: true,
      lines: [{ lineNumber: 1, sku: "MUG-ENAMEL", qty: 2, disposition: "RESELLABLE" }],
    }),
    // A blind return, without an announcement.
    grade(3, "DC1", {
      clientId: "LUMEN",
      returnId: "RET-LL-BLIND-1",
      lines: [{ sku: "CUSHION-LINEN", qty: 2, disposition: "QUARANTINE", note: "no paper in the box" }],
    }),
    grade(3, "DC2", {
      clientId: "FJORD",
      returnId: "RET-FP-BLIND-1",
      lines: [{ sku: "KNIFE-FILLET", qty: 1, disposition: "QUARANTINE", note: "sender unknown" }],
    }),
  ];
}

function assemblyOf(world: DemoWorld): Besides[] {
  const create = (
    hoursAgo: number,
    clientId: string,
    workOrderId: string,
    [finishedGoodSku, qty]: readonly [string, number],
    components: readonly (readonly [string, number])[],
  ): Besides => ({
    hoursAgo,
    async run() {
      const client = await world.client(clientId);
      const request = {
        clientId,
        workOrderId,
        facilityCode: client.facilities[0] as string,
        finishedGoodSku,
        qty,
        components: components.map(([sku, qtyPer]) => ({ sku, qtyPer })),
        dueDate: new Date(world.beganMs + 2 * dayMs).toISOString(),
        notes: "For the season's start",
      };
      await world.act(clientId, `client:${clientId}`, (tx, change) =>
        createWorkOrder(tx.of(clientId, change), request),
      );
    },
  });
  const assemble = (
    hoursAgo: number,
    facilityCode: string,
    body: { readonly workOrderId: string; readonly [name: string]: unknown },
  ): Besides => ({
    hoursAgo,
    async run() {
      const reportId = `demo-${body.workOrderId}-${hoursAgo}`;
      await world.report(facilityCode, "workOrder", { ...body, reportId });
    },
  });
  const kit = [
    ["CANDLE-FIG-220", 1],
    ["VASE-TERRA-S", 1],
    ["CUSHION-LINEN", 1],
  ] as const;
  const hamper = [
    ["HAMPER-BOX", 1],
    ["SALT-FLAKES-125", 1],
    ["MUG-ENAMEL", 2],
  ] as const;
  return [
    create(30, "LUMEN", "WO-LL-1", ["HOME-KIT", 10], kit),
    assemble(24, "DC1", { clientId: "LUMEN", workOrderId: "WO-LL-1", finishedGood: { qty: 10 } }),
    create(30, "LUMEN", "WO-LL-2", ["HOME-KIT", 20], kit),
    assemble(4, "DC1", { clientId: "LUMEN", workOrderId: "WO-LL-2", finishedGood: { qty: 8 } }),
    // The planter is out of stock, so the work order waits.
    create(5, "LUMEN", "WO-LL-3", ["HOME-KIT", 12], [...kit, ["PLANTER-20", 1]]),
    create(5, "LUMEN", "WO-LL-4", ["HOME-KIT", 5], kit),
    create(30, "FJORD", "WO-FP-1", ["HAMPER-CLASSIC", 6], hamper),
    assemble(24, "DC2", { clientId: "FJORD", workOrderId: "WO-FP-1", finishedGood: { qty: 4 }, close: true }),
    create(5, "FJORD", "WO-FP-2", ["HAMPER-CLASSIC", 200], hamper),
    create(5, "FJORD", "WO-FP-3", ["HAMPER-CLASSIC", 3], hamper),
    {
      hoursAgo: 3,
      async run() {
        await world.act("FJORD", "user:joris", (tx, change) =>
          cancelWorkOrder(tx.of("FJORD", change), { workOrderId: "WO-FP-3" }, "not wanted any more"),
        );
      },
    },
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

function corrections(world: DemoWorld): Besides[] {
  const report = (hoursAgo: number, facilityCode: string, kind: string, body: object): Besides => ({
    hoursAgo,
    async run() {
      await world.report(facilityCode, kind, { ...body, reportId: `demo-${kind}-${facilityCode}-${hoursAgo}` });
    },
  });
  const put = (sku: string, qty: number, from: string, to: string) => ({
    sku,
    qty,
    fromCondition: from,
    toCondition: to,
  });
  return [
    report(24, "DC1", "adjustment", {
      clientId: "LUMEN",
      adjustmentId: "ADJ-LL-1",
      reasonCode: "DAMAGE",
      lines: [{ sku: "VASE-TERRA-S", qty: -3 }],
    }),
    report(23, "DC1", "hold", {
      clientId: "LUMEN",
      reasonCode: "CONDITION",
      lines: [put("CANDLE-MOSS-220", 40, "GOOD", "ON_HOLD"), put("THROW-WOOL", 5, "GOOD", "QUARANTINE")],
    }),
    report(8, "DC1", "hold", {
      clientId: "LUMEN",
      reasonCode: "CONDITION",
      lines: [put("CANDLE-MOSS-220", 15, "ON_HOLD", "GOOD")],
    }),
    report(8, "DC1", "count", {
      clientId: "LUMEN",
      countId: "CNT-LL-1",
      lines: [{ sku: "CUSHION-LINEN", countedQty: 610 }],
    }),
    requestedCount(world),
    report(23, "DC2", "hold", {
      clientId: "FJORD",
      reasonCode: "DAMAGE",
      lines: [put("APRON-LINEN", 4, "GOOD", "DAMAGED")],
    }),
    report(5, "DC2", "adjustment", {
      clientId: "FJORD",
      adjustmentId: "ADJ-FP-1",
      reasonCode: "FOUND",
      lines: [{ sku: "SALT-FLAKES-125", qty: 12 }],
    }),
    report(5, "DC1", "adjustment", {
      clientId: "DEMO",
      adjustmentId: "ADJ-DEMO-1",
      reasonCode: "DAMAGE",
      lines: [{ sku: "TEE-L", qty: -2 }],
    }),
    report(4, "DC1", "hold", {
      clientId: "DEMO",
      reasonCode: "CONDITION",
      lines: [put("BOTTLE-STEEL-750", 24, "GOOD", "ON_HOLD"), put("TOTE-CANVAS", 6, "GOOD", "DAMAGED")],
    }),
  ];
}
