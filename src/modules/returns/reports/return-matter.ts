/** The object of a report of returned goods: an authorisation, a parcel that was returned to its sender, or neither. */

import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { Book } from "#/modules/inventory/index.ts";
import { listParcelsById, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { ExpectedLine } from "#/modules/returns/reports/grading-domain.ts";
import * as repository from "#/modules/returns/reports/grading-repository.ts";
import type { ReturnBody } from "#/modules/returns/reports/return-contract.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

export interface ReturnMatter {
  /** The number of the authorisation, else of the parcel, else the warehouse's own. */
  readonly objectId: string;
  readonly referenceType: "return" | "parcel";
  /** The authorisation. */
  readonly header: repository.ReturnHeader | undefined;
  readonly olpnId: string | undefined;
  /** The goods are unannounced, and no parcel names their origin. */
  readonly isBlind: boolean;
  /** The order of the goods. */
  readonly orderId: string | undefined;
  readonly lines: readonly (ExpectedLine & Partial<repository.ReturnLineWords>)[];
  /** The goods that were graded before. */
  readonly graded: readonly repository.GradedQuantity[];
}

/** Finds the object and locks the authorisation. To another facility it does not exist. */
export async function findMatter(tx: UnitOfWork, book: Book, body: ReturnBody): Promise<Result<ReturnMatter, Refusal>> {
  if (body.rmaNumber !== undefined) return findAuthorised(tx, book, body.rmaNumber);
  if (body.olpnId !== undefined) return findParcel(tx, book, body.olpnId);
  const { facilityCode } = book;
  const { returnId } = body;
  return ok({
    objectId: returnId ?? tx.change.ids.next(Date.parse(tx.change.at)),
    referenceType: "return",
    header: undefined,
    olpnId: undefined,
    isBlind: true,
    orderId: undefined,
    lines: [],
    graded: returnId === undefined ? [] : await repository.listGradedOfBlind(tx, facilityCode, returnId),
  });
}

async function findAuthorised(tx: ClientTx, book: Book, rmaNumber: string): Promise<Result<ReturnMatter, Refusal>> {
  const { facilityCode } = book;
  // The queries run in this order on one connection: the rest is read after the lock.
  const [[header], lines, graded] = await Promise.all([
    repository.lockReturns(tx, [rmaNumber]),
    repository.listReturnLines(tx, [rmaNumber]),
    repository.listGraded(tx, rmaNumber),
  ]);
  if (header?.distributionCentre !== facilityCode) {
    return refused(
      notFound(`The client has no return ${rmaNumber} at facility ${facilityCode}; a blind return names none.`),
    );
  }
  const { orderId } = header;
  const none = { olpnId: undefined, isBlind: false };
  return ok({ objectId: rmaNumber, referenceType: "return", header, ...none, orderId, lines, graded });
}

const beforeDespatch: ReadonlySet<ParcelFacts["status"]> = new Set(["PACKED", "LOADED", "VOIDED"]);

async function findParcel(tx: ClientTx, book: Book, olpnId: string): Promise<Result<ReturnMatter, Refusal>> {
  const { facilityCode } = book;
  const [[parcel], graded] = await Promise.all([
    listParcelsById(tx, [olpnId]),
    repository.listGradedOfParcel(tx, olpnId),
  ]);
  if (parcel?.facilityCode !== facilityCode) {
    return refused(
      notFound(`The client has no parcel ${olpnId} of facility ${facilityCode}; a blind return names none.`),
    );
  }
  if (beforeDespatch.has(parcel.status)) {
    return refused(conflict(`Parcel ${olpnId} is ${parcel.status}: a parcel that has not left cannot come back.`));
  }
  const lines = expectedOf(parcel, graded);
  const facts = { header: undefined, olpnId, isBlind: false, orderId: parcel.orderId };
  return ok({ objectId: olpnId, referenceType: "parcel", ...facts, lines, graded });
}

/** A parcel may contain a line in several lots. */
function expectedOf({ contents }: ParcelFacts, graded: readonly repository.GradedQuantity[]): ExpectedLine[] {
  const sum = (of: readonly { readonly qty: number }[]) => of.reduce((total, { qty }) => total + qty, 0);
  return [...Map.groupBy(contents, ({ lineNumber }) => lineNumber)].map(([lineNumber, lineContents]) => ({
    lineNumber,
    sku: (lineContents[0] as (typeof lineContents)[number]).sku,
    expected: sum(lineContents),
    received: sum(graded.filter((gradedQuantity) => gradedQuantity.lineNumber === lineNumber)),
  }));
}
