// Inputs of the simulated warehouse: items, and tasks of the port's list.
import { noFaults } from "#/kernel/config/parsers.ts";
import type { World } from "#/sandbox/simulator/job.ts";
import type { Item, Task } from "#/sandbox/simulator/port.ts";
import { createSerialBook } from "#/sandbox/simulator/serial-book.ts";

export const releasedAt = "2026-11-20T10:00:00.000Z";
export const atMs = Date.parse(releasedAt);

const items: Record<string, Item> = {
  MUG: { clientId: "ACME", sku: "MUG", weightKg: 0.35 },
  OIL: { clientId: "ACME", sku: "OIL", captureBatchRef: true, captureExpiry: true, minShelfLifeDays: 60 },
  LAMP: { clientId: "ACME", sku: "LAMP", captureSerial: true },
};

export function worldOf(seed = "monday", faults: Partial<World["faults"]> = {}): World {
  return {
    facilityCode: "DC1",
    seed,
    faults: { ...noFaults, ...faults },
    serials: createSerialBook("DC1", () => {}),
    findItem: (_clientId, sku) => items[sku],
  };
}

export function taskOf(type: Task["type"], objectId: string, lines: readonly object[], more: Partial<Task> = {}): Task {
  const numbered = lines.map((line, i) => ({ lineNumber: i + 1, qty: 1, uom: "EA", stockPool: "DEFAULT", ...line }));
  return {
    taskId: `task of ${objectId}`,
    type,
    clientId: "ACME",
    objectId,
    version: 1,
    releasedAt,
    withdrawnAt: null,
    lines: numbered as unknown as Task["lines"],
    ...more,
  };
}

export const orderOf = (orderId: string, lines: readonly object[] = [{ sku: "MUG", qty: 2 }]) =>
  taskOf("PICK", orderId, lines);
