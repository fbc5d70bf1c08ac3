/**
 * The shipment of a pick: its service level, papers, dangerous goods, weight and size. It is computed when the task is read,
 * because items and carrier data may change after the release, and a change of them is not a new version of the task.
 */

import { toAlpha2 } from "#/kernel/values/country.ts";
import { customsGoodsOf } from "#/kernel/values/customs-rules.ts";
import { dangerousGoodsOf, isHazmat } from "#/kernel/values/dangerous-goods.ts";
import { attributeOf, hasFlag } from "#/kernel/values/extended-attributes.ts";
import { type CarrierSets, serviceLevelOf } from "#/modules/carriers/index.ts";
import { findItems, type StoredItem } from "#/modules/catalogue/index.ts";
import { crossesCustomsBorder, isInUnion } from "#/modules/documents/index.ts";
import { type Facility, findFacility, type OrderDetails } from "#/modules/facilities/index.ts";
import { estimateParcel } from "#/modules/orders/index.ts";
import type { TaskRecord } from "#/modules/warehouse/tasks/list-contract.ts";
import type { ListedTask } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";

export type Shipment = NonNullable<TaskRecord["shipment"]>;

/** The objects that the tasks of a page refer to. */
export interface PickFacts {
  readonly facility: Facility | undefined;
  readonly ofClient: ReadonlyMap<string, ClientFacts>;
}

interface ClientFacts {
  /** By SKU; unknown SKUs are absent. */
  readonly items: ReadonlyMap<string, StoredItem>;
  readonly levelOf: (shippingMethod: string | undefined) => Shipment["serviceLevel"];
}

/** One statement of `findItems` reads at most this number. */
const skusMax = 1_000;

const isOpenPick = ({ type, withdrawnAt }: ListedTask) => type === "PICK" && withdrawnAt === null;

/** Reads items, carrier data and facility of the open picks among these tasks; nothing if there are none. */
export async function readPickFacts(
  tx: Tx,
  sets: CarrierSets,
  facilityCode: string,
  tasks: readonly ListedTask[],
): Promise<PickFacts> {
  const byClient = Map.groupBy(tasks.filter(isOpenPick), ({ clientId }) => clientId);
  if (byClient.size === 0) return { facility: undefined, ofClient: new Map() };
  const [facility, ...ofClients] = await Promise.all([
    findFacility(tx, facilityCode),
    ...[...byClient].map(async ([clientId, picks]) => {
      const skus = [...new Set(picks.flatMap((task) => task.content.lines.map(({ sku }) => sku)))];
      return [clientId, await readClient(tx.of(clientId), sets, skus)] as const;
    }),
  ]);
  return { facility, ofClient: new Map(ofClients) };
}

async function readClient(tx: ClientTx, sets: CarrierSets, skus: readonly string[]): Promise<ClientFacts> {
  const parts = Array.from({ length: Math.ceil(skus.length / skusMax) }, (_, i) =>
    findItems(tx, skus.slice(i * skusMax, (i + 1) * skusMax)),
  );
  const [{ data }, ...items] = await Promise.all([sets.activeFor(tx), ...parts]);
  return {
    items: new Map(items.flat().map((item) => [item.sku, item])),
    levelOf: (shippingMethod) => serviceLevelOf(data, shippingMethod) ?? null,
  };
}

/** The shipment of an open pick, with the flags of each of its lines; undefined for any other task. */
export function shipmentOf(
  task: ListedTask,
  { facility, ofClient }: PickFacts,
): { readonly shipment: Shipment; readonly lines: TaskRecord["lines"] } | undefined {
  const client = ofClient.get(task.clientId);
  if (!client || !isOpenPick(task)) return undefined;
  const { order, shipTo } = task.content as { readonly order?: OrderDetails; readonly shipTo?: Address };
  const crosses = crossesBorder(facility, shipTo);
  // The stored content has no undefined fields.
  const lines = (task.content.lines as TaskRecord["lines"]).map((line) => {
    const item = client.items.get(line.sku);
    const attributes = item?.extendedAttributes;
    const goods = dangerousGoodsOf(attributes);
    return {
      ...line,
      isHazmat: goods !== undefined || isHazmat(line.extendedAttributes),
      ...(goods === undefined ? {} : { dangerousGoods: goods }),
      ...(crosses && item ? { customs: customsOf(item, line, shipTo) } : {}),
      isBulky: hasFlag(attributes, "IsBulkyFlag") || hasFlag(line.extendedAttributes, "IsBulkyFlag"),
    };
  });
  return {
    shipment: {
      serviceLevel: client.levelOf(order?.shippingMethod),
      documents: ["PACKING_SLIP", "SHIPPING_LABEL", ...(crosses ? ["COMMERCIAL_INVOICE" as const] : [])],
      isHazmat: lines.some(({ isHazmat }) => isHazmat),
      isBulky: lines.some(({ isBulky }) => isBulky),
      estimate: estimateOf(task, client.items),
    },
    lines,
  };
}

interface Address {
  readonly country?: string | undefined;
  readonly zip?: string | undefined;
}

const countryOf = (address: Address | undefined) => toAlpha2(address?.country ?? "");

/** Whether a parcel gets customs papers at packing. */
function crossesBorder(facility: Facility | undefined, shipTo: Address | undefined): boolean {
  const country = countryOf(shipTo);
  return (
    facility !== undefined &&
    country !== undefined &&
    crossesCustomsBorder(facility.country, facility.settings.zip ?? undefined, country, shipTo?.zip)
  );
}

function customsOf(
  item: StoredItem,
  { extendedAttributes }: TaskRecord["lines"][number],
  shipTo: Address | undefined,
): NonNullable<TaskRecord["lines"][number]["customs"]> {
  const origin = toAlpha2(attributeOf(extendedAttributes, "CountryOfOrigin") ?? "");
  const { description, hsCode, countryOfOrigin, identifiers } = customsGoodsOf(item, extendedAttributes, origin);
  return {
    description,
    hsCode: hsCode ?? null,
    countryOfOrigin: countryOfOrigin ?? null,
    productIdentifiers: isInUnion(countryOf(shipTo) ?? "", shipTo?.zip) ? identifiers : null,
  };
}

function estimateOf({ content }: ListedTask, items: ReadonlyMap<string, StoredItem>): Shipment["estimate"] {
  // A pick that another report is about to end has no lines.
  if (content.lines.length === 0) return null;
  const estimate = estimateParcel(
    content.lines.map(({ sku, qty = 0 }) => {
      const item = items.get(sku);
      return {
        sku,
        qty,
        weight: item?.weight ?? undefined,
        weightUomCode: item?.weightUomCode ?? undefined,
        sides: [item?.length ?? undefined, item?.width ?? undefined, item?.height ?? undefined],
        dimensionsUomCode: item?.dimensionsUomCode ?? undefined,
      };
    }),
  );
  if (!estimate.ok) return null;
  const { weight, weightUomCode, length, width, height, dimensionsUomCode } = estimate.value;
  const isKnown = length !== undefined && width !== undefined && height !== undefined;
  return {
    weight,
    weightUomCode,
    length: length ?? null,
    width: width ?? null,
    height: height ?? null,
    dimensionsUomCode: dimensionsUomCode ?? null,
    // Cubic centimetres to litres.
    volume: isKnown ? Math.ceil(length * width * height - 1e-6) / 1_000 : null,
  };
}
