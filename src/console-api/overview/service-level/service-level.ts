import { ordersMax, type periods, type ServiceLevel } from "#/console-api/overview/service-level/contract.ts";
import { countReceived, countServiceLevels, listLateOrders } from "#/console-api/overview/service-level/repository.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { listFacilities } from "#/modules/facilities/index.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const lateOrdersMax = 200;

interface Request {
  /** Null: all. */
  readonly facilityCodes: readonly string[] | null;
  /** Days, `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly by: (typeof periods)[number];
}

/**
 * The orders of a client by their receipt, against their despatch times.
 *
 * @returns undefined if the days have more than {@link ordersMax} orders
 */
export async function readServiceLevel(
  database: Database,
  clientId: string,
  { facilityCodes, from, to, by }: Request,
  nowMs: number,
): Promise<ServiceLevel | undefined> {
  const facilities = (await listFacilities(database)).filter(
    ({ facilityCode }) => facilityCodes === null || facilityCodes.includes(facilityCode),
  );
  const received = {
    facilityCodes: facilities.map(({ facilityCode }) => facilityCode),
    timezones: facilities.map(({ timezone }) => timezone),
    from,
    to,
    // A local day of any time zone begins and ends within a day of that of UTC.
    receivedFrom: new Date(Date.parse(from) - dayMs).toISOString(),
    receivedTo: new Date(Date.parse(to) + 2 * dayMs).toISOString(),
    at: new Date(nowMs).toISOString(),
  };
  const found = await readSnapshot(database, async (tx) => {
    const view = tx.of(clientId);
    const orders = await countReceived(view, received, ordersMax + 1);
    if (orders > ordersMax) return undefined;
    return Promise.all([countServiceLevels(view, received, by), listLateOrders(view, received, lateOrdersMax)]);
  });
  if (found === undefined) return undefined;
  const [periods, lateOrders] = found;
  const whole = (seconds: number | null) => (seconds === null ? null : Math.max(0, Math.round(seconds)));
  const items = periods.map((period) => ({
    ...period,
    open: period.received - period.inTime - period.late - period.overdue - period.untimed - period.cancelled,
    despatchSeconds: whole(period.despatchSeconds),
    deliverySeconds: whole(period.deliverySeconds),
  }));
  const sum = (name: keyof ServiceLevel["total"]) => items.reduce((total, item) => total + item[name], 0);
  const total = {
    received: sum("received"),
    inTime: sum("inTime"),
    late: sum("late"),
    overdue: sum("overdue"),
    open: sum("open"),
    untimed: sum("untimed"),
    cancelled: sum("cancelled"),
  };
  return { clientId, total, items, lateOrders };
}
