import { ownSource } from "#/modules/labels/source-contract.ts";
import type { ManifestState, PickupState, PurchaseState } from "#/modules/labels/states.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

const insertManifests = insertInto(
  table("label_manifest", ["manifest_id"], {
    manifest_id: "uuid",
    facility_code: "text",
    source_code: "text",
    carrier_code: "text",
    cut_off_at: "timestamptz?",
    status: "text",
    is_sent: "boolean",
    tries: "integer",
    due_at: "timestamptz?",
    request: "jsonb",
    parcels: "jsonb",
    left_out: "jsonb",
    created_by: "text",
    created_at: "timestamptz",
    updated_at: "timestamptz",
  }),
);

export const leftOutReasons = ["VOIDED", "NOT_LOADED", "BOUGHT_ELSEWHERE", "REFUSED", "NOT_BOUGHT"] as const;
type LeftOutReason = (typeof leftOutReasons)[number];

interface ManifestParcel {
  /** Undefined for a label that the platform printed. */
  readonly purchaseId?: string | null;
  readonly orderId: string;
  readonly olpnId: string;
  readonly serviceCode: string | null;
  readonly trackingNumber: string | null;
  readonly externalId?: string | null;
}

/** A manifest, as an attempt reads it. */
export interface Manifest {
  /** UUIDv7: the key under which the source makes it once. */
  readonly manifestId: string;
  readonly facilityCode: string;
  readonly sourceCode: string;
  readonly carrierCode: string;
  readonly status: ManifestState;
  /** Of its collection; null: the source books none, or the manifest is not made. */
  readonly pickupState: PickupState | null;
  /** The source may have made a manifest, or booked a collection, that no answer has reported. */
  readonly isSent: boolean;
  readonly tries: number;
  /** The values of templates that are not of its parcels: `from`, `shipDate`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly parcels: readonly ManifestParcel[];
}

const columns = sql`m.manifest_id as "manifestId", m.facility_code as "facilityCode", m.source_code as "sourceCode",
  m.carrier_code as "carrierCode", m.status, m.pickup_state as "pickupState", m.is_sent as "isSent", m.tries, m.request, m.parcels`;

/** ShipStation takes 500 labels in a manifest; of the others none documents less. */
const parcelsMax = 500;
const candidatesMax = 20_000;

export interface ManifestOrder {
  readonly facilityCode: string;
  readonly sourceCode: string;
  /** Null: a person asks for it. */
  readonly cutOffAt: string | null;
  /** Labels that were ordered earlier are not looked at. */
  readonly since: string;
  /** False: the source has no such call, and the platform's list is the manifest. */
  readonly isAsked: boolean;
  readonly request: Manifest["request"];
}

interface Candidate extends ManifestParcel {
  readonly carrierCode: string;
  readonly status: PurchaseState;
  readonly hasLeft: boolean;
  readonly isBoughtElsewhere: boolean;
}

function reasonOf({ status, hasLeft, isBoughtElsewhere }: Candidate): LeftOutReason | undefined {
  if (isBoughtElsewhere) return "BOUGHT_ELSEWHERE";
  if (status === "BOUGHT") return hasLeft ? undefined : "NOT_LOADED";
  if (status === "PENDING") return "NOT_BOUGHT";
  return status === "FAILED" || status === "REFUSED" ? "REFUSED" : "VOIDED";
}

/** The labels of a source that no manifest names yet. */
function listCandidates(tx: ClientTx, { facilityCode, sourceCode, since }: ManifestOrder): Promise<Candidate[]> {
  return tx.query(sql`select p.purchase_id as "purchaseId", p.order_id as "orderId", p.olpn_id as "olpnId",
        p.carrier_code as "carrierCode", p.service_code as "serviceCode", p.status, p.external_id as "externalId",
        coalesce(p.tracking_number, o.tracking_number) as "trackingNumber",
        o.loaded_at is not null or o.despatched_at is not null as "hasLeft",
        exists (select from label_purchase b
          where b.client_id = ${tenant} and b.olpn_id = p.olpn_id and b.status = 'BOUGHT' and b.purchase_id <> p.purchase_id
        ) as "isBoughtElsewhere"
      from label_purchase p join parcel o on o.client_id = ${tenant} and o.olpn_id = p.olpn_id
      where p.client_id = ${tenant} and p.facility_code = ${facilityCode} and p.source_code = ${sourceCode}
        and p.manifest_id is null and p.created_at >= ${since}::timestamptz
      order by p.created_at, p.purchase_id limit ${candidatesMax} for no key update of p`);
}

/** The parcels that left with the platform's label since its last manifest. They have no purchase. */
function listOwnCandidates(tx: ClientTx, { facilityCode, since }: ManifestOrder): Promise<Candidate[]> {
  return tx.query(sql`select o.order_id as "orderId", o.olpn_id as "olpnId", o.carrier_code as "carrierCode",
        o.carrier_service_code as "serviceCode", 'BOUGHT' as status, o.tracking_number as "trackingNumber",
        true as "hasLeft", exists (select from label_purchase b
          where b.client_id = ${tenant} and b.olpn_id = o.olpn_id and b.status = 'BOUGHT' and b.source_code <> ${ownSource}
        ) as "isBoughtElsewhere"
      from parcel o
      where o.client_id = ${tenant} and o.despatched_at is not null and o.facility_code = ${facilityCode}
        and o.despatched_at >= greatest(${since}::timestamptz, (select max(m.created_at) from label_manifest m
          where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.source_code = ${ownSource}))
        and o.carrier_code is not null
      order by o.despatched_at, o.olpn_id limit ${candidatesMax}`);
}

/**
 * Begins the manifests of a source at a facility, for each carrier. The parcels that are left out are named with their
 * reason; those that may still go are candidates of the next manifest. @returns the ids of the new manifests
 */
export async function startManifests(tx: UnitOfWork, order: ManifestOrder): Promise<string[]> {
  const { at, ids, actor } = tx.change;
  const candidates = await (order.sourceCode === ownSource ? listOwnCandidates(tx, order) : listCandidates(tx, order));
  const rows = [...Map.groupBy(candidates, ({ carrierCode }) => carrierCode)].flatMap(([carrierCode, ofCarrier]) => {
    const all = ofCarrier.map((candidate) => ({ candidate, reason: reasonOf(candidate) }));
    const included = all.filter(({ reason }) => reason === undefined);
    const leftOut = all.filter(({ reason }) => reason !== undefined);
    return Array.from({ length: Math.max(1, Math.ceil(included.length / parcelsMax)) }, (_, i) => {
      const parcels = included.slice(i * parcelsMax, (i + 1) * parcelsMax).map(({ candidate }) => parcelOf(candidate));
      const isDue = order.isAsked && parcels.length > 0;
      const status: ManifestState = isDue ? "PENDING" : parcels.length === 0 ? "EMPTY" : "MADE";
      return {
        manifest_id: ids.next(Date.parse(at)),
        facility_code: order.facilityCode,
        source_code: order.sourceCode,
        carrier_code: carrierCode,
        cut_off_at: order.cutOffAt,
        status,
        is_sent: false,
        tries: 0,
        due_at: isDue ? at : null,
        request: order.request,
        parcels,
        left_out: i === 0 ? leftOut.map(({ candidate, reason }) => ({ ...leftOutOf(candidate), reason })) : [],
        created_by: actor,
        created_at: at,
        updated_at: at,
        named: [
          ...parcels.flatMap(({ purchaseId }) => purchaseId ?? []),
          ...(i === 0 ? leftOut.filter(({ reason }) => isFinal(reason)) : []).flatMap(
            ({ candidate }) => candidate.purchaseId ?? [],
          ),
        ],
      };
    });
  });
  insertManifests.send(
    tx,
    rows.map(({ named: _, ...row }) => row),
  );
  for (const { manifest_id, named } of rows) {
    tx.send(sql`update label_purchase set manifest_id = ${manifest_id}::uuid
      where client_id = ${tenant} and purchase_id = any(${named}::uuid[])`);
  }
  return rows.map(({ manifest_id }) => manifest_id);
}

/** Nothing can come of the label any more: the next manifest does not name it again. */
const isFinal = (reason: LeftOutReason | undefined) =>
  reason === "VOIDED" || reason === "BOUGHT_ELSEWHERE" || reason === "REFUSED";

const parcelOf = ({ purchaseId, orderId, olpnId, serviceCode, trackingNumber, externalId }: Candidate) => ({
  purchaseId,
  orderId,
  olpnId,
  serviceCode,
  trackingNumber,
  externalId,
});
const leftOutOf = ({ orderId, olpnId, trackingNumber }: ManifestParcel) => ({ orderId, olpnId, trackingNumber });

/** Due manifests of a source, claimed until the lease ends. */
export function claimManifests(
  tx: ClientTx,
  { sourceCode, at, leaseUntil }: { readonly sourceCode: string; readonly at: string; readonly leaseUntil: string },
): Promise<Manifest[]> {
  return tx.query(sql`update label_manifest m set due_at = ${leaseUntil}::timestamptz, tries = m.tries + 1, is_sent = true,
        updated_at = ${at}::timestamptz
      from (select manifest_id, is_sent from label_manifest
        where client_id = ${tenant} and source_code = ${sourceCode} and due_at is not null and due_at <= ${at}::timestamptz
        order by due_at limit 1 for no key update skip locked) d
      where m.client_id = ${tenant} and m.manifest_id = d.manifest_id
      returning m.manifest_id as "manifestId", m.facility_code as "facilityCode", m.source_code as "sourceCode",
        m.carrier_code as "carrierCode", m.status, m.pickup_state as "pickupState", d.is_sent as "isSent", m.tries, m.request,
        m.parcels`);
}

/** A manifest by its id, locked to the end of the transaction. */
export async function lockManifest(tx: ClientTx, manifestId: string): Promise<Manifest | undefined> {
  const rows = await tx.query<Manifest>(sql`select ${columns} from label_manifest m
      where m.client_id = ${tenant} and m.manifest_id = ${manifestId}::uuid limit 1 for no key update`);
  return rows[0];
}

/** The next state of a manifest after an attempt. */
export interface ManifestStep {
  readonly status: ManifestState;
  readonly isSent: boolean;
  readonly dueAt: string | null;
  readonly error: string | null;
  readonly externalId?: string | undefined;
  readonly document?: { readonly contentType: string; readonly bytes: Buffer } | undefined;
}

export function moveManifest(tx: ClientTransaction, at: string, manifestId: string, step: ManifestStep): void {
  const { status, isSent, dueAt, error, externalId, document } = step;
  tx.send(sql`update label_manifest set status = ${status}, is_sent = ${isSent}, due_at = ${dueAt}::timestamptz,
        error = ${error}, external_id = coalesce(${externalId ?? null}, external_id),
        content_type = coalesce(${document?.contentType ?? null}, content_type),
        document = coalesce(decode(${document?.bytes.toString("base64") ?? null}, 'base64'), document),
        updated_at = ${at}::timestamptz
      where client_id = ${tenant} and manifest_id = ${manifestId}::uuid`);
}

/** The next state of the collection of a manifest that was made. */
export interface PickupStep {
  readonly state: PickupState;
  readonly tries: number;
  readonly dueAt: string | null;
  readonly error: string | null;
  readonly pickupId?: string | undefined;
}

export function movePickup(tx: ClientTransaction, at: string, manifestId: string, step: PickupStep): void {
  const { state, tries, dueAt, error, pickupId } = step;
  tx.send(sql`update label_manifest set pickup_state = ${state}, tries = ${tries}::integer, is_sent = false,
        due_at = ${dueAt}::timestamptz, pickup_error = ${error}, pickup_id = coalesce(${pickupId ?? null}, pickup_id),
        updated_at = ${at}::timestamptz
      where client_id = ${tenant} and manifest_id = ${manifestId}::uuid`);
}

/** Asks the source again for a manifest that it refused. Parcels whose labels were given back meanwhile are left out. */
export function retryManifest(tx: ClientTransaction, at: string, manifestId: string): void {
  tx.send(sql`update label_manifest m set status = case when l.parcels = '[]' then 'EMPTY' else 'PENDING' end, tries = 0,
        due_at = case when l.parcels <> '[]' then ${at}::timestamptz end, error = null, updated_at = ${at}::timestamptz,
        parcels = l.parcels, left_out = m.left_out || l.left_out
      from (select coalesce(jsonb_agg(b.parcel) filter (where b.status = 'BOUGHT'), '[]') as parcels,
          coalesce(jsonb_agg(b.parcel || '{"reason": "VOIDED"}') filter (where b.status <> 'BOUGHT'), '[]') as left_out
        from (select x.parcel, (select p.status from label_purchase p
            where p.client_id = ${tenant} and p.purchase_id = (x.parcel ->> 'purchaseId')::uuid) as status
          from label_manifest k, jsonb_array_elements(k.parcels) x(parcel)
          where k.client_id = ${tenant} and k.manifest_id = ${manifestId}::uuid) b) l
      where m.client_id = ${tenant} and m.manifest_id = ${manifestId}::uuid`);
}
