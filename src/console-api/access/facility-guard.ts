// The permissions of a user who is limited to facilities: an operation is closed to that user unless its route declares
// its partition by facility (docs/decisions/0023-console-access.md).
import type { FastifyRequest } from "fastify";
import { namedIn, placeFor } from "#/console-api/access/request-names.ts";
import { type FacilityObject, facilityObjects, type OperatorRoute, operatorOf } from "#/http/access/operator.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const facilityNames = ["distributionCentre", "facilityCode"] as const;

const partitionOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config as OperatorRoute).partition;

/** The 403 of an operation that is closed to the user, whatever the request says. */
export function refusalOfOperation(request: FastifyRequest): Problem | undefined {
  const isLimited = operatorOf(request).facilityCodes !== null;
  return isLimited && partitionOf(request) === undefined ? notPartitioned : undefined;
}

/** The 403 of a request that names a facility outside the user's limits. */
export function refusalOfFacility(request: FastifyRequest): Problem | undefined {
  const { facilityCodes } = operatorOf(request);
  if (facilityCodes === null) return undefined;
  const foreign = namedIn(request, ...facilityNames).find(({ text }) => !facilityCodes.includes(text));
  if (foreign) return forbidden(`Facility ${foreign.text} is not open to the user.`);
  return partitionOf(request) === "named" ? refusalOfPlace(request, facilityCodes) : undefined;
}

/** For an operation that must name a facility: where the user has only one, the query is completed with it. */
function refusalOfPlace(request: FastifyRequest, facilityCodes: readonly string[]): Problem | undefined {
  const place = placeFor(request, ...facilityNames);
  if (!place) return notPartitioned;
  // Already checked above, unless it is not a text: then it names no facility.
  if (namedIn(request, place.name).some(({ part }) => part === place.part)) return undefined;
  const [only] = facilityCodes;
  if (place.part !== "query" || facilityCodes.length !== 1) {
    return forbidden(`The user is limited to ${facilityCodes.join(", ")}: ${place.name} must name one of them.`);
  }
  (request.query as Record<string, unknown>)[place.name] = only;
  return undefined;
}

/** The 404 of an object at a facility outside the user's limits. */
export async function refusalOfObject(tx: Tx, request: FastifyRequest): Promise<Problem | undefined> {
  const { facilityCodes } = operatorOf(request);
  const partition = partitionOf(request);
  if (facilityCodes === null || partition === undefined) return undefined;
  if (partition === "none" || partition === "scope" || partition === "named") return undefined;
  const { clientId } = exchangeOf(request);
  const { [facilityObjects[partition]]: id } = request.params as Readonly<Record<string, string>>;
  const facilities =
    clientId === undefined || id === undefined ? [] : await findFacilitiesOf(tx.of(clientId), partition, id);
  if (facilities.some((code) => facilityCodes.includes(code))) return undefined;
  return problem("not-found", "There is no such object, or it is not open to the user.");
}

const forbidden = (detail: string) => problem("scope-forbidden", detail);

const notPartitioned = forbidden(
  "The user is limited to facilities, and this operation concerns all of them. Ask an admin without limits.",
);

type Find = (tx: ClientTx, id: string) => Promise<{ readonly facility_code: string | null }[]>;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const ofOrder: Find = (tx, id) =>
  tx.query(sql`select unnest(array_prepend(distribution_centre, split_facilities)) as facility_code from sales_order
      where client_id = ${tenant} and order_id = ${id} limit 10`);

const ofReturn: Find = (tx, id) =>
  tx.query(sql`select distribution_centre as facility_code from return_authorisation
      where client_id = ${tenant} and rma_number = ${id} limit 1`);

/** None for a number whose shipping notices go to several facilities: it concerns more than the user may change. */
const ofPurchaseOrder: Find = (tx, id) =>
  tx.query(sql`select min(distribution_centre) as facility_code from purchase_order
      where client_id = ${tenant} and po_number = ${id}
      having count(distinct distribution_centre) = 1 limit 1`);

const ofWorkOrder: Find = (tx, id) =>
  tx.query(sql`select facility_code from work_order where client_id = ${tenant} and work_order_id = ${id} limit 1`);

/** The facility that ships; the other one has a purchase order. */
const ofTransfer: Find = (tx, id) =>
  tx.query(sql`select from_facility as facility_code from transfer
      where client_id = ${tenant} and transfer_id = ${id} limit 1`);

const ofUnidentifiedReceipt: Find = (tx, id) =>
  tx.query(sql`select distribution_centre as facility_code from unidentified_receipt
      where client_id = ${tenant} and unidentified_id = ${id} limit 1`);

const ofParcel: Find = (tx, id) =>
  tx.query(sql`select facility_code from parcel where client_id = ${tenant} and olpn_id = ${id} limit 1`);

const ofOrderDocument: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select unnest(array_prepend(o.distribution_centre, o.split_facilities)) as facility_code from order_document d
          join sales_order o on o.client_id = ${tenant} and o.order_id = d.order_id
          where d.client_id = ${tenant} and d.document_id = ${id}::uuid limit 10`);

const ofDecision: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select request->>'distributionCentre' as facility_code from carrier_decision
          where client_id = ${tenant} and decision_id = ${id}::uuid limit 1`);

const ofOutboundDocument: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select facility_code from outbound_document
          where client_id = ${tenant} and message_id = ${id}::uuid limit 1`);

const ofCount: Find = (tx, id) =>
  tx.query(sql`select facility_code from stock_count where client_id = ${tenant} and count_id = ${id} limit 1`);

const ofManifest: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select facility_code from label_manifest
          where client_id = ${tenant} and manifest_id = ${id}::uuid limit 1`);

const finders: Readonly<Record<FacilityObject, Find>> = {
  order: ofOrder,
  return: ofReturn,
  purchaseOrder: ofPurchaseOrder,
  workOrder: ofWorkOrder,
  transfer: ofTransfer,
  unidentifiedReceipt: ofUnidentifiedReceipt,
  parcel: ofParcel,
  orderDocument: ofOrderDocument,
  carrierDecision: ofDecision,
  outboundDocument: ofOutboundDocument,
  count: ofCount,
  labelManifest: ofManifest,
};

/** The facilities of an object: several of a split order; none where there is no such object, or it belongs to none. */
export async function findFacilitiesOf(tx: ClientTx, object: FacilityObject, id: string): Promise<string[]> {
  const rows = await finders[object](tx, id);
  return rows.flatMap(({ facility_code }) => facility_code ?? []);
}
