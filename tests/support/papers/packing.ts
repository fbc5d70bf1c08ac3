// A client with its own carriers, whose orders are packed at the port.
import assert from "node:assert/strict";
import type { TestServer } from "../app/server.ts";
import type { Parts } from "../builders/documents.ts";
import { lifeOf, parcel } from "../builders/life.ts";
import { orderOperationsOf } from "../builders/order-operations.ts";
import { carrierDataOf, saveCarriers, serviceOf } from "../carriers/carriers.ts";
import { restCalls } from "../http/rest-calls.ts";
import type { Port } from "../warehouse/warehouse-port.ts";

/** A parcel in the response to a pack report. */
export interface Packed {
  readonly olpnId: string;
  readonly carrierCode: string | null;
  readonly carrierServiceCode: string | null;
  readonly trackingNumber: string;
  readonly decisionId: string | null;
  readonly documents: readonly {
    readonly documentId: string;
    readonly type: string;
    readonly contentType: string;
    readonly warnings: readonly string[];
  }[];
}

/** Tracking URL of the cheap service. */
const trackingUrl = "https://track.rm.example/?number={trackingNumber}";
export const cheap = serviceOf("RM48", "RM", 3, { maxWeightKg: 20, trackingUrl });
export const dear = serviceOf("DX-EXP", "DX", 9, { serviceLevel: "EXPRESS", maxWeightKg: 30 });
/** A cheap service of RM up to 20 kg, and a dear, fast one of DX up to 30 kg. */
export const carriers = {
  ...carrierDataOf(cheap, dear),
  mapping: { shippingMethods: { STD: "STANDARD", FAST: "EXPRESS" }, carrierCodes: { ROYALMAIL: "RM" } },
};

/** A client with its own carriers, and enough stock of A. */
export async function packingWorld(
  { server, dc1 }: { readonly server: TestServer; readonly dc1: Port },
  clientId: string,
  data: object = carriers,
  items: readonly (string | Parts)[] = ["A"],
) {
  const life = await lifeOf(server, dc1, clientId, { items });
  await saveCarriers(server.database, data, clientId);
  await life.stock([{ sku: "A", qty: 100 }]);
  const rest = restCalls(server.url, "/v1", life.client.credentials);
  const orders = await orderOperationsOf(server, life.client);

  /** Picks an order of `qty` of A. */
  async function picked(orderId: string, qty = 1, more: Parts = {}, line: Parts = {}): Promise<void> {
    await life.place(orderId, [{ sku: "A", qty, ...line }], { distributionCentre: "DC1", ...more });
    await life.pick(orderId, qty);
  }

  const bodyOf = (orderId: string, ...olpns: object[]) => ({
    clientId,
    orderId,
    olpns: olpns.map((more) => parcel([{ lineNumber: 1, qty: 1 }], more)),
  });

  /** Packs a parcel with one piece of A for each argument, which adds members to the parcel. */
  async function pack(orderId: string, ...olpns: object[]): Promise<Packed[]> {
    return (await dc1.report("pack", bodyOf(orderId, ...olpns))).olpns as Packed[];
  }

  async function packOne(orderId: string, more: object = {}): Promise<Packed> {
    const [parcel] = await pack(orderId, more);
    assert.ok(parcel);
    return parcel;
  }

  async function decision(decisionId: string | null): Promise<Record<string, unknown>> {
    const { status, body } = await rest("GET", `/carrierDeterminationService/carrier/decision/${decisionId}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  const papers = async (orderId: string) => (await orders.list(`/document/list/${orderId}`)).items;
  return { ...life, rest, orders, picked, bodyOf, pack, packOne, decision, papers };
}

export const serviceIn = ({ carrierCode, carrierServiceCode }: Packed) => [carrierCode, carrierServiceCode];
