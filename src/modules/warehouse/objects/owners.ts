import { invalidRequest, type Problem, problem } from "#/http/problems/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { findParcelOwners, listParcelsById, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { Tx } from "#/store/db/database.ts";

/** An object that the request names, for the text of a refusal. */
export interface NamedObject {
  /** With its article, such as `an order`. */
  readonly kind: string;
  /** Name of its id, such as `orderId`. */
  readonly idName: string;
  readonly id: string;
}

export function unknownObject({ kind, idName }: NamedObject): Problem {
  return problem("not-found", `The facility has no ${kind.replace(/^an? /, "")} of this ${idName}.`);
}

/**
 * The client of an object: the one that the request names, or the only one of the facility that has it.
 *
 * @param candidates the clients of the facility that have an object with this id.
 * @param pointer where the request names the client.
 */
export function chooseClient(
  candidates: readonly string[],
  clientId: string | undefined,
  object: NamedObject,
  pointer = "/query/clientId",
): Result<string, Problem> {
  const fitting = candidates.filter((candidate) => clientId === undefined || candidate === clientId);
  const [first] = fitting;
  if (first === undefined) return refused(unknownObject(object));
  if (fitting.length === 1) return ok(first);
  const message = `is required: several clients of the facility have ${object.kind} ${object.id}`;
  return refused(invalidRequest([{ pointer, message }]));
}

export interface OwnedParcel {
  readonly clientId: string;
  readonly parcel: ParcelFacts;
}

/** A parcel that the facility has packed. */
export async function findParcel(tx: Tx, facilityCode: string, olpnId: string): Promise<OwnedParcel | undefined> {
  const [owner] = await findParcelOwners(tx, "OLPN", [olpnId]);
  const [parcel] = owner ? await listParcelsById(tx.of(owner.clientId), [olpnId]) : [];
  return owner && parcel?.facilityCode === facilityCode ? { clientId: owner.clientId, parcel } : undefined;
}
