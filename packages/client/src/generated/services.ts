// Generated from schemas/openapi/ by packages/client/scripts/generate.ts; not to be edited.
import type { paths as carriers } from "./carrier-determination.ts";
import type { paths as facilities } from "./facility.ts";
import type { paths as inventory } from "./inventory.ts";
import type { paths as items } from "./item-master.ts";
import type { paths as operator } from "./operator.ts";
import type { paths as orders } from "./order.ts";
import type { paths as warehouse } from "./warehouse.ts";
import type { paths as webhooks } from "./webhook.ts";
import type { paths as workOrders } from "./work-order.ts";

/** The services that have a document, each with its paths. */
export interface Services {
  /** Which service of which carrier takes a shipment, when it leaves and arrives, what it costs, and why no other: by services, price matrices and rules. */
  readonly carriers: carriers;
  /** The facilities that are open to the client: where they are, when they work and what they can do. */
  readonly facilities: facilities;
  /** Stock by product and by lot, what happened to it, what there was when a day ended, and whether both sides agree. */
  readonly inventory: inventory;
  /** Items as the client's catalogues describe them. */
  readonly items: items;
  /** What the operator console does: what happened and what is stuck over all clients, every cure, users and settings. Behind a session, with roles. */
  readonly operator: operator;
  /** Orders and what belongs to them: their state, changes and cancellation, returns, documents, parcels (OLPN) and the services of carriers. */
  readonly orders: orders;
  /** What happens on the floor reaches the platform through this port: work is read from change feeds, every step is reported, and the papers that packing makes are fetched. Credentials are bound to one facility; those of a carrier report its events and nothing else. */
  readonly warehouse: warehouse;
  /** What happens to the client's orders, goods and documents: webhooks that are told of it, what each was sent, the topics, and the log of all events. How to write a receiver stands in [Receiving webhooks](/docs/webhooks). */
  readonly webhooks: webhooks;
  /** Work orders assemble finished goods from component SKUs. */
  readonly workOrders: workOrders;
}

export const serviceNames = ["carriers", "facilities", "inventory", "items", "operator", "orders", "warehouse", "webhooks", "workOrders"] as const satisfies readonly (keyof Services)[];
