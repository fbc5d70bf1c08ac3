import { createHash } from "node:crypto";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { composeAdjustment } from "#/modules/inventory/adjustments/adjusted-event.ts";
import { isWithinDay, listAdjustedToday, listStockedSkus } from "#/modules/inventory/adjustments/day-tolerance.ts";
import {
  type OpeningFault,
  type OpeningLine,
  type OpeningOwner,
  openingColumns,
  readOpeningFile,
} from "#/modules/inventory/adjustments/opening-file.ts";
import { type ReadLine, readLines } from "#/modules/inventory/adjustments/report-lines.ts";
import { openingReason } from "#/modules/inventory/adjustments/reports.ts";
import type { CountTolerance } from "#/modules/inventory/counts/domain.ts";
import { type Book, openBooks } from "#/modules/inventory/ledger/book.ts";
import { listBalances } from "#/modules/inventory/ledger/repository.ts";
import { bookChanges, checkChanges, type StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { balanceKey } from "#/modules/inventory/lot.ts";
import { stockImport } from "#/modules/inventory/tables.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import { insertInto, selectFrom } from "#/store/db/table.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

interface OpeningFile {
  /** CSV, see readOpeningFile. */
  readonly text: string;
  /** Names the import; without it, its content does. */
  readonly importId?: string | undefined;
  /** Checks everything and books nothing. */
  readonly isDryRun: boolean;
}

export interface OpeningAnswer {
  readonly importId: string;
  /** Whether stock was booked by this call. */
  readonly isBooked: boolean;
  /** The moment of an earlier import of the same content; null for none. */
  readonly importedAt: string | null;
  /** Lines of each facility. */
  readonly facilities: readonly { readonly distributionCentre: string; readonly lines: number }[];
}

/** Why the file is refused: faults of its lines, or a conflict with an earlier import. */
export type OpeningRefusal =
  | { readonly faults: readonly OpeningFault[]; readonly conflict?: undefined }
  | { readonly faults?: undefined; readonly conflict: Refusal };

/** Opening stock only adds: no allocation is freed. */
const freeNothing = async () => ({ freed: 0, drafts: [] });

/**
 * Books the opening stock of a client as adjustments with the reason OPENING, one for each facility, all in this
 * transaction. A file with any fault books nothing. A repeat of an import books nothing either.
 *
 * @param tolerance of a user, who books alone only what it covers of products that have had stock in the facility. The
 *   command line has none.
 * @returns the answer with the events to append, or every fault.
 */
export async function importOpeningStock(
  tx: UnitOfWork,
  owner: OpeningOwner,
  file: OpeningFile,
  tolerance?: CountTolerance,
): Promise<Result<{ readonly answer: OpeningAnswer; readonly events: EventDraft[] }, OpeningRefusal>> {
  const { lines, faults } = readOpeningFile(file.text, owner);
  const byFacility = [...Map.groupBy(lines, ({ facilityCode }) => facilityCode)].sort();
  if (faults.length > 0) {
    // The lines that can be read are checked too, so that one answer has every fault. No book is locked for it.
    const others = await Promise.all(byFacility.map(([, group]) => readGroup(tx, group)));
    return refused({ faults: sorted([...faults, ...others.flatMap((part) => part.faults)]) });
  }
  const contentSha256 = createHash("sha256").update(JSON.stringify(lines)).digest("hex");
  const importId = file.importId ?? `OPENING-${contentSha256.slice(0, 16)}`;
  const facilities = byFacility.map(([distributionCentre, group]) => ({ distributionCentre, lines: group.length }));
  const books = await openBooks(
    tx,
    byFacility.map(([facilityCode]) => facilityCode),
    tx.change.at,
  );
  // After the lock of the books, so that the second of two equal imports finds the first.
  const [earlier] = await readImports.query(tx, [importId]);
  if (earlier) {
    if (earlier.content_sha256 !== contentSha256) {
      const text = `Import ${importId} of ${earlier.imported_at} had other content; choose another id.`;
      return refused({ conflict: conflict(text) });
    }
    const answer = { importId, isBooked: false, importedAt: earlier.imported_at, facilities };
    return ok({ answer, events: [] });
  }
  const checked = await Promise.all(
    byFacility.map(([facilityCode, group]) => check(tx, books.get(facilityCode) as Book, { group, tolerance })),
  );
  const found = checked.flatMap((part) => part.faults);
  if (found.length > 0) return refused({ faults: sorted(found) });
  const answer = { importId, isBooked: !file.isDryRun, importedAt: null, facilities };
  if (file.isDryRun) return ok({ answer, events: [] });
  const events: EventDraft[] = [];
  for (const part of checked) events.push(...(await book(tx, importId, part)));
  insertImports.send(tx, [
    { import_id: importId, content_sha256: contentSha256, imported_at: tx.change.at, line_count: lines.length },
  ]);
  recordAudit(tx, {
    action: "import",
    objectType: "stockImport",
    objectId: importId,
    detail: { facilities },
  });
  return ok({ answer, events });
}

interface CheckedPart {
  readonly book: Book;
  readonly read: readonly ReadLine<OpeningLine>[];
  readonly changes: readonly StockChange[];
  readonly countedSkus: ReadonlySet<string>;
  readonly faults: readonly OpeningFault[];
}

const sorted = (faults: readonly OpeningFault[]) => faults.toSorted((left, right) => left.line - right.line);

/** Checks the lines of a facility against their items. */
async function readGroup(tx: ClientTransaction, group: readonly OpeningLine[]) {
  const { read, faults } = await readLines(tx, group, "qty", "positive");
  const lineFaults = faults.map(({ pointer, message }): OpeningFault => {
    const [, index = "0", field = ""] = /^#\/lines\/(\d+)\/([^/]+)/.exec(pointer) ?? [];
    const line = group[Number(index)] as OpeningLine;
    const column = openingColumns.find((name) => name === field) ?? null;
    return { line: line.line, column, value: column === null ? null : textOf(line, column), message };
  });
  return { read, faults: lineFaults };
}

async function check(
  tx: UnitOfWork,
  book: Book,
  { group, tolerance }: { readonly group: readonly OpeningLine[]; readonly tolerance: CountTolerance | undefined },
): Promise<CheckedPart> {
  const { read, faults } = await readGroup(tx, group);
  const changes = read.map(
    ({ line, lot, sku, qty, serials, rules }): StockChange => ({
      ...lot,
      sku,
      type: "ADJUSTMENT",
      condition: line.condition,
      qty,
      serials,
      isSerialKept: rules.captureSerial,
      reason: openingReason,
    }),
  );
  const countedSkus = new Set<string>();
  if (faults.length > 0) return { book, read, changes, countedSkus, faults };
  const conflicts = (await checkChanges(tx, book, changes)).faults;
  const [first] = group as readonly [OpeningLine, ...OpeningLine[]];
  const stockFaults = conflicts.map(
    (message): OpeningFault => ({ line: lineNamed(group, message) ?? first.line, column: null, value: null, message }),
  );
  if (tolerance === undefined) return { book, read, changes, countedSkus, faults: stockFaults };
  const known = await listStockedSkus(tx, book.facilityCode, [...new Set(read.map(({ sku }) => sku))]);
  const beyond = await findBeyondTolerance(tx, book, { changes, known, tolerance });
  const dayFaults = group.flatMap((line, i): OpeningFault[] => {
    if (!beyond.has(changes[i] as StockChange)) return [];
    const message = `SKU ${line.sku} has had stock in ${book.facilityCode}, and more of it than the tolerance of counts needs another user; adjust the lot instead (stock/adjust)`;
    return [{ line: line.line, column: "qty", value: textOf(line, "qty"), message }];
  });
  return { book, read, changes, countedSkus: known, faults: [...stockFaults, ...dayFaults] };
}

/** The changes of lots that only another user may add to. */
async function findBeyondTolerance(
  tx: UnitOfWork,
  { facilityCode }: Book,
  of: {
    readonly changes: readonly StockChange[];
    readonly known: ReadonlySet<string>;
    readonly tolerance: CountTolerance;
  },
): Promise<ReadonlySet<StockChange>> {
  const skus = [...of.known];
  if (skus.length === 0) return new Set();
  const today = await listAdjustedToday(tx, facilityCode, skus, tx.change.at);
  const balances = await listBalances(tx, facilityCode, skus);
  const inBooks = new Map(balances.map((balance) => [balanceKey(balance), balance.qty]));
  const lots = Map.groupBy(
    of.changes.filter(({ sku }) => of.known.has(sku)),
    balanceKey,
  );
  return new Set(
    [...lots].flatMap(([key, lines]) => (isWithinDay(inBooks.get(key) ?? 0, lines, today, of.tolerance) ? [] : lines)),
  );
}

function textOf(line: OpeningLine, column: (typeof openingColumns)[number]): string | null {
  const value = column === "distributionCentre" ? line.facilityCode : line[column];
  if (value === undefined) return null;
  return typeof value === "object" ? value.join("|") : String(value);
}

/** The line whose serial number a sentence names. */
function lineNamed(group: readonly OpeningLine[], message: string): number | undefined {
  const words = new Set(message.split(/[\s',;:.]+/));
  return group.find(({ serials = [] }) => serials.some((serial) => words.has(serial)))?.line;
}

async function book(
  tx: UnitOfWork,
  adjustmentId: string,
  { book: facilityBook, read, changes, countedSkus }: CheckedPart,
): Promise<EventDraft[]> {
  const cause = {
    referenceType: "adjustment",
    referenceId: adjustmentId,
    reasonCode: openingReason,
    occurredAt: undefined,
    action: "adjust",
    countedSkus,
  } as const;
  const freed = await bookChanges(tx, facilityBook, changes, {
    shortages: [],
    free: freeNothing,
    cause,
  });
  const lines = read.map(({ line, lot, sku, qty }) => ({ ...lot, sku, qty, toCondition: line.condition }));
  const { drafts } = await composeAdjustment(tx, facilityBook, {
    adjustmentId,
    reasonCode: openingReason,
    lines,
  });
  return [...freed, ...drafts];
}

const readImports = selectFrom(stockImport, {
  by: "import_id",
  select: ["import_id", "content_sha256", "imported_at"],
  limit: 1,
});
/** The primary key resolves races: of two imports of one id the second fails and runs again. */
const insertImports = insertInto(stockImport);
