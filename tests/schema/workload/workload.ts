import { readFileSync } from "node:fs";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { statusOf } from "#/app/roles/object-status.ts";
import {
  createOutboundConsumer,
  findOutbound,
  takeMidnightSnapshots,
  writeSnapshots,
} from "#/delivery/outbound/index.ts";
import * as outbound from "#/delivery/outbound/repository.ts";
import { requestStatement } from "#/delivery/outbound/snapshots.ts";
import type { FeedClient, FeedSettings } from "#/intake/feeds/intake/definition.ts";
import type { Delivery } from "#/intake/feeds/intake/receiver.ts";
import { createOutcomeConsumer, reportOverdue } from "#/intake/feeds/outcome.ts";
import { startHealing } from "#/intake/feeds/park/healing.ts";
import { findDocument, listParked, purgeIdempotencyKeys } from "#/intake/feeds/repository.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import { createClient } from "#/modules/clients/index.ts";
import { lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { createAllocationConsumer } from "#/modules/orders/index.ts";
import { findOrder, linesOfOrder, listLines, listOrders } from "#/modules/orders/rest/repository.ts";
import { createTaskConsumer } from "#/modules/warehouse/index.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import type { Statement } from "#/store/db/sql.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { startRelay } from "#/store/outbox/relay.ts";
import { purgeFeedCounts } from "#/store/outbox/repository.ts";
import { until } from "../../support/app/until.ts";
import { runActivity } from "./activity.ts";
import { runCarriers } from "./carriers.ts";
import { runOverClients } from "./clients.ts";
import { runConsoleAccess } from "./console/access.ts";
import { runConsoleClients } from "./console/clients.ts";
import { runConsoleExceptions } from "./console/exceptions.ts";
import { runFeedLog } from "./console/feeds.ts";
import { runNotifications } from "./console/notifications.ts";
import { runConsoleOrders } from "./console/orders.ts";
import { runConsoleOverview } from "./console/overview.ts";
import { runRequestLog } from "./console/requests.ts";
import { runConsoleSandbox } from "./console/sandbox.ts";
import { runConsoleStock } from "./console/stock.ts";
import { runDeliveries } from "./deliveries.ts";
import { runFacilities } from "./facilities.ts";
import { runFloor } from "./floor.ts";
import { runHistory } from "./history.ts";
import { runIntake } from "./intake.ts";
import { runInventory } from "./inventory.ts";
import { runAddressChecks, runLabels, runRates, runTrackingCodes } from "./labels.ts";
import { runLots } from "./lots.ts";
import { runMails } from "./mails.ts";
import { runOrderPapers } from "./orders/order-papers.ts";
import { runOrders } from "./orders/orders.ts";
import { runOutboundChannels } from "./outbound-channels.ts";
import { runProposals } from "./proposals.ts";
import { runRestored } from "./restored.ts";
import { runRetention } from "./retention.ts";
import { readSearchedLists } from "./searched-lists.ts";
import { runSeed } from "./seed.ts";
import { runExchange } from "./sftp.ts";
import { runStockWorkload } from "./stock.ts";
import { runTelemetry } from "./telemetry.ts";
import { runTransfers } from "./transfers.ts";
import { runWarehouse } from "./warehouse.ts";
import { runEventLog, runSubscriptions } from "./webhooks.ts";
import { runWorkOrders } from "./workorders.ts";

const samples = new URL("../../../samples/", import.meta.url);
const ids = createIds();

/**
 * Drives the product until it has sent every statement that names a client. Each new statement needs an addition here
 * that makes the product send it; plans.test.ts names the missing ones.
 *
 * @param database records the statements that it executes
 */
export async function runWorkload(database: Database, client: FeedClient): Promise<void> {
  const stack = await createFeedStack({ database, clock: systemClock, ids });
  try {
    const token = await sendFeeds(stack.receiver, client);
    await findDocument(database.of(client.clientId), token);
    await findOutbound(database.of(client.clientId), token);
    await readOrders(database, client.clientId);
    await healParked(database, stack.receiver, client);
    for (const aheadMs of [dayMs, 0]) {
      await reportOverdue({ database, clock: { now: () => Date.now() + aheadMs }, writer: createOutboxWriter(ids) });
    }
    await publish(database, 0);
    await runExchange(database, stack.receiver, client, sample("accepted/NO-minimal.xml"));
    await runOrders(database, client);
    await runFacilities(database, client.clientId);
    await runFloor(database, client.clientId);
    await runStockWorkload(database, client.clientId);
    await runInventory(database, client.clientId);
    await runLots(database, client.clientId);
    await runHistory(database, client.clientId, ["STOCK-1", "STOCK-2"]);
    await runIntake(database, client.clientId, "TEE-BLACK-M", "106141412345678908");
    await runOrderPapers(database, client.clientId, "WEB-100045", "RMA-5001");
    await runCarriers(database, client.clientId, "WEB-100045");
    await runLabels(database, client.clientId, "WEB-100045", "106141412345678908");
    await runTrackingCodes(database, client.clientId);
    await runActivity(database, client.clientId);
    await runRates(database, client.clientId);
    await runAddressChecks(database, client.clientId, "WEB-100045");
    await runProposals(database, client.clientId, "WEB-100045");
    await runWorkOrders(database, client, ["MUG-BLUE-330", "OIL-OLIVE-500", "STOCK-1"]);
    await runTransfers(database, client, "MUG-BLUE-330");
    await runWarehouse(database, client.clientId);
    await readOutbound(database, client.clientId);
    await runOutboundChannels(database, client.clientId);
    await runEventLog(database, client.clientId);
    await runSubscriptions(database, client.clientId);
    await runDeliveries(database, client.clientId);
    await runMails(database, client.clientId);
    await runConsoleClients(database, client.clientId);
    await runSeed(database, client.clientId);
    await runRetention(database, client.clientId, "WEB-100045");
    await runConsoleSandbox(database, client.clientId);
    await runConsoleExceptions(database, client.clientId);
    await runNotifications(database, client.clientId);
    await stack.receiver.receive(delivery(client, "CAT", sample("accepted/CAT-minimal.xml")));
    await publish(database, 3);
    await purgeIdempotencyKeys(database.of(client.clientId), new Date(Date.now() + 8 * dayMs).toISOString());
    await purgeFeedCounts(database.of(client.clientId), idBoundary(Date.now() - 90 * dayMs));
    await runOverClients(database, token);
    await runRestored(database, client.clientId);
    await runTelemetry(database, client.clientId, "WEB-100045");
    await runRequestLog(database, client.clientId);
    await runConsoleAccess(database, client.clientId);
    await runConsoleOverview(database, client.clientId);
    await runConsoleStock(database, client.clientId);
    await runConsoleOrders(database, client.clientId, "WEB-100045");
    await runFeedLog(database, stack.receiver, client, async () => {
      const unknown = sample("accepted/NO-minimal.xml", ["WEB-100046", "WEB-200004"], ["MUG-BLUE-330", "UNHEARD-OF"]);
      const refused = delivery(client, "NO", unknown);
      await stack.receiver.receive(refused);
      return refused.token;
    });
    await readSearchedLists(database, { clientId: client.clientId, searchedAtOnce: 1 });
    await onboard(database, client);
    // Leaves a row in tables that are empty when all work is done. The carrier data does not know this method.
    const method = "</orderDate><shippingMethod>PIGEON</shippingMethod>";
    const bytes = sample("accepted/NO-minimal.xml", ["WEB-100046", "WEB-200003"], ["</orderDate>", method]);
    await stack.receiver.receive({ ...delivery(client, "NO", bytes), idempotencyKey: "key-2" });
  } finally {
    await stack.close();
  }
}

type Receiver = Awaited<ReturnType<typeof createFeedStack>>["receiver"];

function sample(name: string, ...changes: readonly (readonly [from: string | RegExp, to: string])[]): Buffer {
  const bytes = readFileSync(new URL(name, samples));
  if (changes.length === 0) return bytes;
  return Buffer.from(changes.reduce((text, [from, to]) => text.replace(from, to), bytes.toString()));
}

function delivery(client: FeedClient, type: FeedType, bytes: Buffer, settings: Partial<FeedSettings> = {}): Delivery {
  return {
    client: { ...client, settings: { ...client.settings, ...settings } },
    type,
    channel: "HTTP",
    bytes,
    contentType: "application/xml",
    charset: undefined,
    idempotencyKey: undefined,
    token: ids.next(Date.now()),
  };
}

/** Documents with every outcome; returns the token of one. */
async function sendFeeds(receiver: Receiver, client: FeedClient): Promise<string> {
  const send = (type: FeedType, bytes: Buffer, settings?: Partial<FeedSettings>) =>
    receiver.receive(delivery(client, type, bytes, settings));
  const order = sample("accepted/NO.xml");
  for (const type of ["CAT", "PO", "NO", "RMA"] as const) await send(type, sample(`accepted/${type}.xml`));
  for (const type of ["CAT", "PO", "NO", "RMA"] as const) await send(type, sample(`accepted/${type}-minimal.xml`));
  for (const change of ["update", "cancel"]) {
    for (const type of ["PO", "NO"] as const) await send(type, sample(`accepted/${type}-${change}.xml`));
  }
  await send("NO", order);
  await send("NO", order, { identicalResend: "REPLAY" });
  await send("CAT", sample("accepted/CAT.xml"), { catMode: "MERGE" });
  await send("CAT", sample("accepted/CAT.xml", ['"StockUom">EA', '"StockUom">CS']));
  // An order of a kit, for whose components there is stock.
  const ofKit = sample("accepted/NO-minimal.xml", ["WEB-100046", "WEB-200005"], [/<sku>[^<]+</, "<sku>SET-BREAKFAST<"]);
  await send("NO", ofKit);
  await receiver.validate(delivery(client, "NO", order));
  for (const _ of ["bound", "answered from the first"]) {
    const bytes = sample("accepted/NO-minimal.xml", ["WEB-100046", "WEB-200001"]);
    await receiver.receive({ ...delivery(client, "NO", bytes), idempotencyKey: "key-1" });
  }
  const receipt = await send("NO", sample("refused/NO-wrong-root.xml"));
  if (receipt.kind !== "validated") throw new Error(`the last document was answered ${receipt.kind}`);
  return receipt.token;
}

/** Outbound documents over every channel, and those of stock. */
async function readOutbound(database: Database, clientId: string): Promise<void> {
  const [first] = await outbound.listPending(database.of(clientId), 0, undefined, 100);
  if (!first) throw new Error("there is no outbound document");
  await outbound.listPending(database.of(clientId), 0, "ACK", 100);
  await outbound.findPayload(database.of(clientId), first.messageId);
  await outbound.acknowledge(database.of(clientId), first.messageId, new Date().toISOString());
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
  await database.transaction(async (tx) => {
    const position = await outbound.takePositions(tx.of(clientId), 1);
    await outbound.findDocument(tx.of(clientId), first.messageId);
    outbound.putBack(tx.of(clientId), first.messageId, position + 1, { isHttp: true, isSftp: true });
  });
  for (const _ of ["opens with nothing", "opens with the one before"]) {
    await database.transaction(async (tx) => {
      const book = await openBook(tx.of(clientId), "DC1", change.at);
      const receipt = { type: "RECEIPT", sku: "TEE-BLACK-M", condition: "GOOD", qty: 1_000 } as const;
      const reference = { referenceType: "receipt", referenceId: "R-1" };
      postMovements(tx.of(book.clientId), book, ids, [{ ...receipt, ...reference, ...lotOf({}) }]);
    });
    await database.transaction((tx) => requestStatement(tx.of(clientId, change), "DC1", "INV"));
    await writeSnapshots({ database, clock: systemClock, ids });
  }
  await takeMidnightSnapshots({ database, clock: { now: () => Date.now() + dayMs }, ids });
}

/** A page of orders with each REST filter, in both directions, first and following. */
async function readOrders(database: Database, clientId: string): Promise<void> {
  const order = await findOrder(database.of(clientId), "WEB-100045");
  await linesOfOrder(database.of(clientId), "WEB-100045");
  await listLines(database.of(clientId), ["WEB-100045", "WEB-100046"], 100);
  const none = {
    status: undefined,
    distributionCentre: undefined,
    externalOrderReference: undefined,
    receivedFrom: undefined,
    receivedTo: undefined,
    updatedSince: undefined,
  };
  const [from, to] = [new Date(Date.now() - dayMs).toISOString(), new Date(Date.now() + dayMs).toISOString()];
  const filters = [
    none,
    { ...none, status: "RECEIVED" },
    { ...none, distributionCentre: "DC1" },
    { ...none, externalOrderReference: "SHOP-2026-77812" },
    { ...none, receivedFrom: from, receivedTo: to },
    { ...none, updatedSince: from },
  ];
  for (const filter of filters) {
    for (const sort of ["receivedAt", "-receivedAt"] as const) {
      await listOrders(database.of(clientId), { filter, sort, after: undefined, limit: 100 });
      const after = { us: Date.parse(order?.receivedAt ?? "") * 1000, id: "WEB-100045" };
      await listOrders(database.of(clientId), { filter, sort, after, limit: 100 });
    }
  }
}

/** An order waits for its SKU and is replaced by a newer one, which is accepted when a catalogue brings the SKU. */
async function healParked(database: Database, receiver: Receiver, client: FeedClient): Promise<void> {
  const parking = { parkUnknownSkus: true };
  const order = (sku: string) => sample("accepted/NO-minimal.xml", ["WEB-100046", "WEB-200002"], ["MUG-BLUE-330", sku]);
  await receiver.receive(delivery(client, "NO", order("NEVER-SEEN"), parking));
  await receiver.receive(delivery(client, "NO", order("SEEN-LATER"), parking));
  await receiver.receive(delivery(client, "CAT", sample("accepted/CAT-minimal.xml", ["TEE-BLACK-M", "SEEN-LATER"])));
  const findClient = async () => client;
  const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
  const healing = startHealing({ database, receiver, findClient, findKnownSkus, log });
  healing.wake([client.clientId]);
  const firstToken = "00000000-0000-0000-0000-000000000000";
  await until("the documents are healed", async () => {
    return (await listParked(database.of(client.clientId), firstToken, 10)).length === 0;
  });
  await healing.stop();
}

/** Publishes the pending events with a relay whose consumer fails at first: the batch, a bundle alone, an event alone. */
async function publish(database: Database, failures: number): Promise<void> {
  let failuresLeft = failures;
  let emptyTurns = 0;
  // Counts the turns without rows, to detect when everything is published.
  const lookUps: Tx = {
    ...database.lookUps,
    async query<Row>(statement: Statement) {
      const rows = await database.lookUps.query<Row>(statement);
      if (statement.text.includes("from outbox_due")) emptyTurns = rows.length === 0 ? emptyTurns + 1 : 0;
      return rows;
    },
  };
  const relay = startRelay({
    database: { ...database, lookUps },
    clock: systemClock,
    ids,
    consumers: [
      {
        async consume() {
          if (failuresLeft-- > 0) throw new Error("the consumer is made to fail");
          return [];
        },
      },
      createAllocationConsumer({ ids }),
      createTaskConsumer(ids),
      createOutcomeConsumer(() => {}, statusOf),
      createOutboundConsumer(ids),
    ],
    onError: () => {},
    pollMs: 10,
  });
  try {
    await until("all events are published", () => emptyTurns > 0, 60_000);
  } finally {
    await relay.stop();
  }
}

async function onboard(database: Database, { clientId, facilities }: FeedClient): Promise<void> {
  const change = { actor: "cli:test", origin: "test", at: new Date().toISOString(), ids };
  await database.transaction(async (tx) => {
    await createClient(tx, change, { clientId: "OTHER", name: "Other", facilities });
  });
  await database.transaction(async (tx) => {
    recordAudit(tx.of(clientId, change), { action: "test", objectType: "client", objectId: clientId });
  });
}
