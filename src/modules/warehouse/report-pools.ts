import type { RequestFault } from "#/http/problem.ts";
import { faultOfPool, type PoolSettings } from "#/kernel/stock-pools.ts";
import type { ReportBody } from "#/modules/warehouse/report-kind.ts";

interface Goods {
  readonly stockPool?: string | undefined;
}

/** Where reports name goods, whatever their kind. */
interface GoodsOfReport {
  readonly lines?: readonly Goods[];
  readonly components?: readonly Goods[];
  readonly finishedGood?: Goods;
}

/** Each stock pool of the report that the client does not have. */
export function faultsOfPools(body: ReportBody, settings: PoolSettings): RequestFault[] {
  const { lines = [], components = [], finishedGood = {} } = body as GoodsOfReport;
  const places = [
    ...lines.map((goods, i) => ({ goods, pointer: `#/lines/${i}/stockPool` })),
    ...components.map((goods, i) => ({ goods, pointer: `#/components/${i}/stockPool` })),
    { goods: finishedGood, pointer: "#/finishedGood/stockPool" },
  ];
  return places.flatMap(({ goods: { stockPool }, pointer }) => {
    const message = stockPool === undefined ? undefined : faultOfPool(settings, stockPool);
    return message === undefined ? [] : [{ pointer, message }];
  });
}
