import { columnsOf } from "#/http/routes/columns.ts";
import { invalid, type Refusal, type RequestFault, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { formatQuantity, isWhole, quantityOf, quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { findItemRules, type ItemRules } from "#/modules/catalogue/index.ts";
import type { ReconcileRequest, Reconciliation } from "#/modules/inventory/reconciliation/contract.ts";
import { type MovementRecord, movement } from "#/modules/inventory/rest/history-contract.ts";
import { entryColumns, entrySources } from "#/modules/inventory/rest/history-repository.ts";
import { cursorOf, momentOf, placeBehind, serialsMaxDefault } from "#/modules/inventory/rest/movement-list.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** The limits for one SKU, and for all together: an answer has some megabytes at most. */
const movementsOfSkuMax = 100;
const movementsMax = 5_000;

type Count = ReconcileRequest["counts"][number];

interface Reconciled {
  readonly sku: string;
  /** Integer thousandths. */
  readonly theirs: number;
  readonly ours: number;
  readonly agreement: Agreement | undefined;
}

/**
 * Compares a client's counts with the ledger at one position. Equal quantities are stored as the last agreement. If
 * they differ, the entries since the last agreement explain our quantity. Stock does not change.
 *
 * @param facilityFault set if the facility does not belong to the client; reported together with unknown SKUs.
 * @returns refused as 400 (a SKU twice) or 422 (facility, SKU, unit).
 */
export async function reconcile(
  tx: UnitOfWork,
  { distributionCentre, counts }: ReconcileRequest,
  facilityFault: RequestFault | undefined,
): Promise<Result<Reconciliation, Refusal>> {
  const twice = faultsOfRepeats(counts);
  if (twice.length > 0) return refused(invalid(twice));
  const skus = counts.map(({ sku }) => sku);
  // Agreements are read first, so none of them is newer than the position that is read afterwards.
  const [agreements, onHand, rules] = await Promise.all([
    listAgreements(tx, distributionCentre, skus),
    readOnHand(tx, distributionCentre, skus),
    findItemRules(tx, skus),
  ]);
  const faults = [...(facilityFault ? [facilityFault] : []), ...faultsOfItems(counts, rules)];
  if (faults.length > 0) return refused(unknownItems(faults));

  const position = onHand[0]?.position ?? 0;
  const lastAt = onHand[0]?.lastBookedAt ?? "-infinity";
  const oursOf = new Map(onHand.map(({ sku, qty }) => [sku, storedQuantity(qty ?? "0")]));
  const agreementOf = new Map(agreements.map((row) => [row.sku, row]));
  const items = counts.map(({ sku, qty }): Reconciled => {
    const [theirs, ours] = [quantityOf(qty), oursOf.get(sku) ?? 0];
    const agreed = {
      sku,
      position,
      qty: formatQuantity(ours),
      at: tx.change.at,
      laterMovementsFrom: lastAt,
    };
    return { sku, theirs, ours, agreement: theirs === ours ? agreed : agreementOf.get(sku) };
  });
  const movements = await explain(tx, distributionCentre, items.filter(isDifferent), position);
  const agreed = items
    .filter((item) => !isDifferent(item))
    .map(({ sku, ours }) => ({ sku, qty: formatQuantity(ours) }));
  if (agreed.length > 0) {
    const at = { position, reconciledAt: tx.change.at, laterMovementsFrom: lastAt };
    writeAgreements(tx, distributionCentre, at, agreed);
  }
  return ok({
    position,
    items: items.map((item) => ({
      sku: item.sku,
      theirs: quantityToNumber(item.theirs),
      ours: quantityToNumber(item.ours),
      difference: quantityToNumber(item.theirs - item.ours),
      agreement: item.agreement
        ? {
            position: item.agreement.position,
            qty: quantityToNumber(storedQuantity(item.agreement.qty)),
            at: item.agreement.at,
          }
        : null,
      ...(movements.get(item.sku) ?? { movements: [], nextCursor: null }),
    })),
  });
}

const isDifferent = ({ theirs, ours }: Reconciled) => theirs !== ours;

type Explanation = Pick<Reconciliation["items"][number], "movements" | "nextCursor">;

/** The entries since the last agreement on each SKU, or all entries without one. */
async function explain(
  tx: ClientTransaction,
  facilityCode: string,
  items: readonly Reconciled[],
  position: number,
): Promise<ReadonlyMap<string, Explanation>> {
  if (items.length === 0) return new Map();
  const limit = Math.min(movementsOfSkuMax, Math.floor(movementsMax / items.length));
  const since = items.map(({ sku, agreement }) => ({
    sku,
    after: agreement?.position ?? 0,
    fromId: idBoundary(momentOf(agreement?.laterMovementsFrom ?? "-infinity")),
  }));
  // One entry more than shown tells whether there are more.
  const max = { ofEach: limit + 1, serials: serialsMaxDefault };
  const rows = await listMovementsSince(tx, facilityCode, since, position, max);
  const rowsOf = Map.groupBy(rows, ({ sku }) => sku);
  return new Map(
    items.map(({ sku, agreement }) => {
      const all = rowsOf.get(sku) ?? [];
      const listed = all
        .filter(({ isCut }) => !isCut)
        .toSorted((a, b) => a.position - b.position)
        .slice(0, limit);
      const last = listed.at(-1);
      const place = last
        ? placeBehind(last)
        : { position: agreement?.position ?? 0, fromMs: momentOf(agreement?.laterMovementsFrom ?? "-infinity") };
      const hasMore = (all[0]?.found ?? 0) > listed.length;
      const nextCursor = hasMore ? cursorOf(facilityCode, sku, undefined, place) : null;
      return [sku, { movements: listed.map(({ found, isCut, ...movement }) => movement), nextCursor }];
    }),
  );
}

function faultsOfRepeats(counts: readonly Count[]): RequestFault[] {
  const firstOf = new Map<string, number>();
  return counts.flatMap(({ sku }, i): RequestFault[] => {
    const first = firstOf.get(sku);
    if (first === undefined) firstOf.set(sku, i);
    return first === undefined
      ? []
      : [{ pointer: `#/counts/${i}/sku`, message: `is present twice, first in counts/${first}` }];
  });
}

function faultsOfItems(counts: readonly Count[], rules: ReadonlyMap<string, ItemRules>): RequestFault[] {
  return counts.flatMap(({ sku, qty }, i): RequestFault[] => {
    const itemRules = rules.get(sku);
    if (!itemRules)
      return [{ pointer: `#/counts/${i}/sku`, message: `SKU '${sku}' is not known; send it by CAT first` }];
    if (itemRules.stockUom !== defaultStockUnit || isWhole(quantityOf(qty))) return [];
    return [{ pointer: `#/counts/${i}/qty`, message: `SKU ${sku} is counted in whole ${defaultStockUnit}` }];
  });
}

const namedMax = 20;

function unknownItems(errors: readonly RequestFault[]): Refusal {
  const messages = errors.slice(0, namedMax).map(({ pointer, message }) => `${pointer} ${message}`);
  const left = errors.length - namedMax;
  return unprocessable(`${messages.join("; ")}${left > 0 ? `; and ${left} more` : ""}`, errors);
}

/**
 * Position and on-hand quantity as one statement sees them. No row if the facility has no book of the client; one row
 * without a SKU if it has none of the SKUs.
 */
function readOnHand(tx: ClientTx, facilityCode: string, skus: readonly string[]) {
  return tx.query<{ position: number; lastBookedAt: string; sku: string | null; qty: string | null }>(
    sql`select k.last_position as position, k.last_booked_at as "lastBookedAt", s.sku, s.qty
      from stock_book k
      left join (
        select b.sku, sum(b.qty) as qty from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
        group by b.sku) s on true
      where k.client_id = ${tenant} and k.facility_code = ${facilityCode} limit 10000`,
  );
}

interface Agreement extends NewAgreement {
  readonly position: number;
  readonly at: string;
  /** Later entries are booked from this moment on. */
  readonly laterMovementsFrom: string;
}

function listAgreements(tx: ClientTx, facilityCode: string, skus: readonly string[]): Promise<Agreement[]> {
  return tx.query(sql`select sku, position, qty, reconciled_at as at, later_movements_from as "laterMovementsFrom"
      from stock_reconciliation
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[]) limit 10000`);
}

interface NewAgreement {
  readonly sku: string;
  /** Decimal text. */
  readonly qty: string;
}

/** Of two concurrent agreements the one at the later position stays. */
function writeAgreements(
  tx: ClientTransaction,
  facilityCode: string,
  at: { readonly position: number; readonly reconciledAt: string; readonly laterMovementsFrom: string },
  agreements: readonly NewAgreement[],
): void {
  tx.send(sql`insert into stock_reconciliation as target (client_id, facility_code, sku, position, qty, reconciled_at, later_movements_from)
      select t.client_id, ${facilityCode}, given.sku, ${at.position}::bigint, given.qty, ${at.reconciledAt}::timestamptz,
        ${at.laterMovementsFrom}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(agreements)}::json) as given(sku text, qty numeric)
      where t.client_id = ${tenant} order by given.sku
      on conflict (client_id, facility_code, sku) do update set position = excluded.position, qty = excluded.qty,
        reconciled_at = excluded.reconciled_at, later_movements_from = excluded.later_movements_from
      where target.position <= excluded.position
      returning target.sku`);
}

interface Since {
  readonly sku: string;
  /** Entries after this position. */
  readonly after: number;
  /** A lower bound of their ids. */
  readonly fromId: string;
}

interface ExplainingMovement extends MovementRecord {
  /** The number of entries of the SKU before the cut for serial numbers. */
  readonly found: number;
  /** The entry has too many serial numbers to show. It is included without them, only for the facts about its SKU. */
  readonly isCut: boolean;
}

/**
 * The first entries of each SKU that changed its on-hand quantity, after the SKU's own position and up to a common one.
 * They come SKU by SKU until they reach the limit of serial numbers; the first entry of each SKU always comes.
 */
function listMovementsSince(
  tx: ClientTx,
  facilityCode: string,
  since: readonly Since[],
  to: number,
  max: { readonly ofEach: number; readonly serials: number },
): Promise<ExplainingMovement[]> {
  const wanted = JSON.stringify(
    since.map(({ sku, after, fromId }) => ({ sku, after_position: after, from_id: fromId })),
  );
  const columns = columnsOf(movement, "e", {
    ...entrySources,
    serials: sql`case when named <= ${max.serials} then coalesce(serials, '{}') else '{}' end`,
  });
  return tx.query(sql`select ${columns}, e.found, e.named > ${max.serials} as "isCut"
      from (
        select ${entryColumns},
          count(*) over (partition by m.sku)::integer as found,
          row_number() over (partition by m.sku order by m.position) as place,
          sum(coalesce(cardinality(m.serials), 0)) over (order by m.sku, m.position) as named
        from json_to_recordset(${wanted}::json) as given(sku text, after_position bigint, from_id uuid)
        cross join lateral (
          select ${entryColumns}
          from stock_movement m
          where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.sku = given.sku and m.sku > ''
            and m.position > given.after_position and m.position <= ${to} and m.movement_id >= given.from_id
            and m.affects_on_hand
          order by m.position limit ${max.ofEach}) m
      ) e
      where e.place = 1 or e.named <= ${max.serials} limit 1000000`);
}
