// The load of six brands and their two warehouses at a steady rate: orders by HTTP and by SFTP, some of kits, some that are
// split, some that are moved; look-ups, work orders and transfers by REST; picks, corrections and receipts by the port. A request without an answer is sent again, with its key, until it has one.
// Every exchange and every push is recorded for the oracle.
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, call } from "../faults/load/sender.ts";
import { atEnd } from "../support/app/at-end.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { openSession, RefusedError, type SftpSession } from "../support/sftp/session.ts";
import type { Exchange, Push, SentMove, SentOrder, SentReport, SentTransfer, SentWorkOrder } from "./history.ts";
import { type ChaosClient, type FacilityCode, facilityCodes, type House } from "./house.ts";

export interface Load {
  readonly orders: readonly SentOrder[];
  readonly reports: readonly SentReport[];
  readonly workOrders: readonly SentWorkOrder[];
  readonly transfers: readonly SentTransfer[];
  readonly moves: readonly SentMove[];
  readonly exchanges: readonly Exchange[];
  readonly pushes: readonly Push[];
  /**
   * Sends a number of orders with a number of lines as fast as the program accepts them; resolves when each was sent
   * once.
   */
  flood(clientId: string, orders: number, lines: number): Promise<void>;
  /** Ends the steady load, and repeats unanswered requests until each has an answer. */
  settle(msMax: number): Promise<void>;
  close(): Promise<void>;
}

export interface LoadOptions {
  readonly house: House;
  /** Orders a second, all clients together. */
  readonly rate: number;
  readonly random: () => number;
  /** The factor for time limits on this machine now. */
  readonly stretch: () => number;
}

/** Each line of a flood has a different SKU. */
const skusOfVictim = 500;
const skusOfOthers = 20;
const piecesOfSku = 1_000_000;
/** The share of orders that the warehouse processes, one at a time; the rest stays unprocessed. */
const workedShare = 0.3;
const fileShare = 0.2;
/** Of transfers: cancelled at once, as far as they have not left; worked by a warehouse; short in a report. */
const cancelledShare = 0.2;
const movedShare = 0.8;
const shortShare = 0.3;
const retryMs = 1_000;
const retriesAtOnceMax = 20;
const floodersAtOnce = 8;

const json = { "content-type": "application/json" };
const skusOf = ({ isVictim }: ChaosClient) => (isVictim ? skusOfVictim : skusOfOthers);
const [sender, receiverCode] = facilityCodes;
/** Each is in stock at one facility only: an order of both is split. */
const alone: Readonly<Record<FacilityCode, string>> = { DC1: "ONLY-DC1", DC2: "ONLY-DC2" };
const kit = "KIT";
const kitShare = 0.15;
const splitShare = 0.15;
const skuOf = (i: number) => `SKU-${1_000 + i}`;

export async function startLoad({ house, rate, random, stretch }: LoadOptions): Promise<Load> {
  const orders: SentOrder[] = [];
  const reports: SentReport[] = [];
  const workOrders: SentWorkOrder[] = [];
  const transfers: SentTransfer[] = [];
  const moves: SentMove[] = [];
  const exchanges: Exchange[] = [];
  const pushes: Push[] = [];
  const byId = new Map<string, SentOrder>();
  const inProgress = new Set<SentOrder>();
  const tokens = new Map<string, Promise<Record<string, string>>>();
  const sessions = new Map<string, Promise<SftpSession>>();
  const clients = new Map(house.clients.map((client) => [client.clientId, client]));
  let isOver = false;
  let isClosed = false;
  let number = 0;

  const receiver = await startReceiver({
    answer: ({ path, body }) => {
      const { id, type, objectId } = JSON.parse(body.toString()) as { id: string; type: string; objectId: string };
      const clientId = path.slice(1);
      const atMs = performance.now();
      pushes.push({ clientId, id, objectId, atMs });
      if (type === "order:received") {
        const sent = byId.get(`${clientId} ${objectId}`);
        if (sent !== undefined) sent.pushedAtMs ??= atMs;
      }
      return 200;
    },
  });
  await prepare(house, receiver, bearer);

  /** An access token, kept until a service refuses it. */
  function bearer(name: string, oauth: ChaosClient["oauth"]): Promise<Record<string, string>> {
    const held = tokens.get(name) ?? fetchToken(house.url, oauth);
    tokens.set(name, held);
    held.catch(() => tokens.delete(name));
    return held;
  }

  /** Sends a request and records it; undefined if there is no answer. */
  async function exchange(
    kind: Exchange["kind"],
    clientId: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const beganMs = performance.now();
    try {
      const answer = await ask();
      const retryAfter = answer.headers["retry-after"];
      const ms = performance.now() - beganMs;
      exchanges.push({
        kind,
        clientId,
        beganMs,
        ms,
        stretch: stretch(),
        status: answer.status,
        hasRetryAfter: retryAfter !== undefined,
        ...(answer.status < 400 ? {} : { text: answer.body.slice(0, 300) }),
      });
      return answer;
    } catch (error) {
      exchanges.push({
        kind,
        clientId,
        beganMs,
        ms: performance.now() - beganMs,
        stretch: stretch(),
        status: undefined,
        hasRetryAfter: false,
        text: (error as Error).message.slice(0, 300),
      });
      return undefined;
    }
  }

  async function rest(
    kind: Exchange["kind"],
    account: { readonly clientId: string; readonly oauth: ChaosClient["oauth"] },
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<Answer | undefined> {
    const { clientId, oauth } = account;
    const answer = await exchange(kind, clientId, async () => {
      const headers = {
        ...(await bearer(clientId, oauth)),
        ...(body === undefined ? {} : json),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      return call(`${house.url}/v1${path}`, { method, headers, ...text });
    });
    // The token has expired, or its times do not fit the program's clock.
    if (answer?.status === 401) tokens.delete(clientId);
    return answer;
  }

  function newOrder(clientId: string, lines: number, isFile: boolean): SentOrder {
    const objectId = `C-${++number}`;
    const skus = skusOf(clients.get(clientId) as ChaosClient);
    const first = Math.floor(random() * skus);
    const chosen = Array.from({ length: lines }, (_, i) => ({
      sku: skuOf((first + i) % skus),
      qty: (i % 9) + 1,
    }));
    const isFlood = lines > 100;
    if (!isFlood && random() < kitShare) chosen[0] = { sku: kit, qty: 1 };
    const isSplit = !isFlood && random() < splitShare;
    if (isSplit) chosen.push(...facilityCodes.map((code) => ({ sku: alone[code], qty: 1 })));
    const xml = order(clientId, objectId, chosen, isSplit ? {} : { distributionCentre: sender });
    const sent: SentOrder = {
      clientId,
      objectId,
      lines: chosen.length,
      isFile,
      xml,
      beganMs: performance.now(),
      pieces: chosen.reduce((sum, { qty }) => sum + qty, 0),
    };
    orders.push(sent);
    byId.set(`${clientId} ${objectId}`, sent);
    return sent;
  }

  /** One attempt for an order without an answer. */
  async function attempt(sent: SentOrder): Promise<void> {
    if (inProgress.has(sent) || sent.token !== undefined) return;
    inProgress.add(sent);
    sent.triedAtMs = performance.now();
    try {
      await (sent.isFile ? putFile(sent) : post(sent));
    } finally {
      inProgress.delete(sent);
    }
  }

  async function post(sent: SentOrder): Promise<void> {
    const { clientId, objectId, xml, lines } = sent;
    const { apiKey } = (clients.get(clientId) as ChaosClient).feed;
    const headers = { "x-api-key": apiKey, "content-type": "application/xml", "idempotency-key": `key-${objectId}` };
    const answer = await exchange(lines > 100 ? "flood" : "feed", clientId, () =>
      call(`${house.url}/feeds/${clientId}/NO`, { method: "POST", headers, body: xml }),
    );
    if (answer?.status === 200) note(sent, answer.body);
  }

  /** Records the ACK: the document is accepted, or was accepted earlier and its ACK was lost. */
  function note(sent: SentOrder, ack: string): void {
    const [, duplicate] = /\[DUPLICATE\] .* received as document (\S+) at \S+; its bytes are identical/.exec(ack) ?? [];
    const isAccepted = ack.includes("<success>true</success>");
    sent.ack = ack;
    if (!isAccepted && duplicate === undefined) return;
    sent.token = duplicate ?? /<token>([^<]*)/.exec(ack)?.[1] ?? "";
    sent.ackedAtMs = performance.now();
  }

  async function putFile(sent: SentOrder): Promise<void> {
    const { clientId, objectId, xml } = sent;
    const file = `${objectId}.xml`;
    const beganMs = performance.now();
    const seen = { kind: "file", clientId, beganMs, hasRetryAfter: true } as const;
    try {
      const session = await sessionOf(clientId);
      await session.put(`/inbound/NO/${file}`, Buffer.from(xml));
      const ack = (await session.get(`/acks/${file}.ack.xml`)).toString();
      exchanges.push({ ...seen, ms: performance.now() - beganMs, stretch: stretch(), status: 200 });
      note(sent, ack);
    } catch (error) {
      const text = (error as Error).message.slice(0, 300);
      // The reason of a disconnection while the store cannot check a log-in (RFC 4253 §11.1): the client tries later.
      const isForLater = error instanceof RefusedError || text.includes("SERVICE_NOT_AVAILABLE");
      const status = isForLater ? 503 : undefined;
      exchanges.push({ ...seen, ms: performance.now() - beganMs, stretch: stretch(), status, text });
    }
  }

  async function sessionOf(clientId: string): Promise<SftpSession> {
    const held = await sessions.get(clientId)?.catch(() => undefined);
    if (held !== undefined && !held.isOver) return held;
    const opening = openSession(house.sftp, (clients.get(clientId) as ChaosClient).sftp);
    sessions.set(clientId, opening);
    opening.catch(() => sessions.delete(clientId));
    return opening;
  }

  /** Runs at a fixed rate, independent of the answers: a slow program gets the same load. */
  async function keepTime(everyMs: number, work: () => Promise<unknown>): Promise<void> {
    for (let dueMs = performance.now(); !isOver; ) {
      dueMs += everyMs * (0.5 + random());
      await sleep(Math.max(0, dueMs - performance.now()));
      if (!isOver) work().catch(() => {});
    }
  }

  /** Runs in sequence, with a pause after each. */
  async function keepOn(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!isOver) {
      await work();
      await sleep(pauseMs * (0.5 + random()));
    }
  }

  async function look(client: ChaosClient): Promise<void> {
    const known = orders.filter(({ clientId, token }) => clientId === client.clientId && token).at(-3)?.objectId;
    const path = known === undefined ? "list?limit=20&sort=-receivedAt" : `get/${known}`;
    await rest("read", client, "GET", `/orderService/order/${path}`);
  }

  async function createWorkOrder(client: ChaosClient): Promise<void> {
    const { clientId } = client;
    const workOrderId = `W-${++number}`;
    const made: SentWorkOrder = { clientId, workOrderId, isAnswered: false };
    workOrders.push(made);
    const body = {
      clientId,
      workOrderId,
      facilityCode: sender,
      finishedGoodSku: skuOf(0),
      qty: 1,
      components: [{ sku: skuOf(1), qtyPer: 1 }],
    };
    const answer = await persist(() =>
      rest("write", client, "POST", "/workOrderService/workOrder/create", body, `key-${workOrderId}`),
    );
    made.isAnswered = answer?.status === 201;
  }

  /** Repeats the request until an answer states its outcome. */
  async function persist(ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    while (!isClosed) {
      const answer = await ask();
      if (answer !== undefined && ![401, 409, 429, 500, 503].includes(answer.status)) return answer;
      if (answer?.status === 409 && !answer.headers["retry-after"]) return answer;
      await sleep(retryMs);
    }
    return undefined;
  }

  async function createTransfer(client: ChaosClient): Promise<void> {
    const { clientId } = client;
    const transferId = `T-${++number}`;
    const made: SentTransfer = { clientId, transferId, isAnswered: false };
    transfers.push(made);
    const lines = [
      { sku: skuOf(Math.floor(random() * skusOfOthers)), qty: 2 + Math.floor(random() * 8) },
      { sku: alone[sender], qty: 1 },
    ];
    const body = { clientId, transferId, fromFacility: sender, toFacility: receiverCode, lines };
    const path = "/inventoryService/transfer";
    const answer = await persist(() => rest("write", client, "POST", `${path}/create`, body, `key-${transferId}`));
    made.isAnswered = answer?.status === 201;
    if (random() > cancelledShare) return;
    const cancelled = await persist(() =>
      rest("write", client, "POST", `${path}/cancel/${transferId}`, { clientId }, `cancel-${transferId}`),
    );
    made.isCancelled = cancelled?.status === 200;
  }

  /** Sends an order to the other facility; the program refuses it once a warehouse has it. */
  async function moveOrder(client: ChaosClient): Promise<void> {
    const { clientId } = client;
    const moved = new Set(moves.flatMap((move) => (move.clientId === clientId ? move.orderId : [])));
    const known = orders.findLast((sent) => sent.clientId === clientId && sent.token && !moved.has(sent.objectId));
    if (known === undefined) return;
    const { objectId: orderId } = known;
    const body = { clientId, distributionCentre: receiverCode };
    const answer = await persist(() =>
      rest("write", client, "PATCH", `/orderService/order/update/${orderId}`, body, `move-${orderId}`),
    );
    if (answer?.status === 200) moves.push({ clientId, orderId, to: receiverCode });
  }

  const portOf = (code: FacilityCode) => ({
    clientId: `warehouse ${code}`,
    oauth: house.warehouses.get(code) as ChaosClient["oauth"],
  });

  async function report(
    clientId: string,
    kind: SentReport["kind"],
    objectId: string,
    body: object,
    at: FacilityCode = sender,
  ) {
    const reportId = `${kind}-${++number}`;
    const made: SentReport = { clientId, kind, objectId, reportId, isAnswered: false };
    reports.push(made);
    const path = `/warehouseService/${kind}/report`;
    const answer = await persist(() => rest("report", portOf(at), "POST", path, { clientId, reportId, ...body }));
    made.isAnswered = answer?.status === 200;
    return made.isAnswered ? (JSON.parse((answer as Answer).body) as Record<string, unknown>) : undefined;
  }

  async function workPick({ clientId, objectId, lines }: Task, at: FacilityCode): Promise<void> {
    if (lines.length > 10 || random() > workedShare) return;
    const picked = lines.map(({ lineNumber, qty }) => ({ lineNumber, qtyPicked: qty }));
    if (!(await report(clientId, "pick", objectId, { orderId: objectId, lines: picked }, at))) return;
    const contents = lines.map(({ lineNumber, qty }) => ({ lineNumber, qty }));
    const olpns = [{ weight: 1, weightUomCode: "KG", contents }];
    const packed = await report(clientId, "pack", objectId, { orderId: objectId, olpns }, at);
    if (!packed) return;
    const olpnIds = (packed.olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId);
    await report(clientId, "despatch", objectId, { olpnIds }, at);
  }

  const transferOf = (clientId: string, transferId: string | undefined) =>
    transfers.find((sent) => sent.clientId === clientId && sent.transferId === transferId);
  const sumOf = (lines: readonly { readonly qty: number }[]) => lines.reduce((sum, { qty }) => sum + qty, 0);
  /** Goods that a report names; at times one unit of the first line is missing. */
  const goodsOf = ({ lines }: Task) =>
    lines.map(({ sku, qty }, i) => ({ sku, qty: i === 0 && qty > 1 && random() < shortShare ? qty - 1 : qty }));

  async function ship(task: Task): Promise<void> {
    const { clientId, objectId: transferId } = task;
    const sent = transferOf(clientId, transferId);
    if (sent === undefined || random() > movedShare) return;
    const lines = goodsOf(task);
    if (await report(clientId, "transfer", transferId, { transferId, lines })) sent.shipped = sumOf(lines);
  }

  /** Goods that are missing when their purchase order is closed are lost. */
  async function receive(task: Task): Promise<void> {
    const [poNumber = ""] = task.objectId.split("/");
    const sent = transferOf(task.clientId, poNumber);
    if (sent === undefined || sent.received !== undefined || random() > movedShare) return;
    const lines = goodsOf(task);
    const body = { poNumber, receiptId: `R-${poNumber}`, lines, closeOrder: true };
    if (await report(task.clientId, "goodsReceipt", poNumber, body, receiverCode)) sent.received = sumOf(lines);
  }

  function taskWork(at: FacilityCode): () => Promise<void> {
    let cursor = "";
    return async () => {
      const answer = await rest("read", portOf(at), "GET", `/warehouseService/task/list?limit=50${cursor}`);
      if (answer?.status !== 200) return;
      const { items, nextCursor } = JSON.parse(answer.body) as { items: Task[]; nextCursor: string };
      cursor = `&cursor=${nextCursor}`;
      const open = items.filter(({ withdrawnAt }) => withdrawnAt === null);
      // Transfers first: behind all picks of a page they would not arrive within a short run.
      const inTurn = [...open.filter(({ type }) => type !== "PICK"), ...open.filter(({ type }) => type === "PICK")];
      for (const task of inTurn) {
        if (isOver) return;
        if (task.type === "PICK") await workPick(task, at);
        else if (task.type === "TRANSFER") await ship(task);
        else if (task.type === "PURCHASE_ORDER") await receive(task);
      }
    };
  }

  function correct(): Promise<unknown> {
    const { clientId } = pick(house.clients);
    const adjustmentId = `A-${++number}`;
    const lines = [{ sku: skuOf(Math.floor(random() * skusOfOthers)), qty: 1 }];
    return report(clientId, "adjustment", adjustmentId, { adjustmentId, reasonCode: "FOUND", lines });
  }

  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

  /** Repeats, after a pause, requests that were temporarily refused or had no answer. */
  async function retry(): Promise<void> {
    const dueMs = performance.now() - retryMs;
    const open = orders.filter(
      (order) => order.token === undefined && !inProgress.has(order) && (order.triedAtMs ?? 0) < dueMs,
    );
    await Promise.all(open.slice(0, retriesAtOnceMax).map(attempt));
  }

  const everyMs = (1_000 * house.clients.length) / rate;
  const steady = house.clients.flatMap((client) => [
    keepTime(everyMs, () => attempt(newOrder(client.clientId, 1 + Math.floor(random() * 4), random() < fileShare))),
    keepOn(2 * everyMs, () => look(client)),
    keepOn(6 * everyMs, () => createWorkOrder(client)),
    keepOn(8 * everyMs, () => createTransfer(client)),
    keepOn(8 * everyMs, () => moveOrder(client)),
  ]);
  steady.push(...facilityCodes.map((code) => keepOn(500, taskWork(code))));
  steady.push(keepOn(3_000, correct), keepOn(250, retry));

  const close = async () => {
    isOver = true;
    isClosed = true;
    for (const session of sessions.values()) await session.then((connection) => connection.end()).catch(() => {});
    await receiver.close();
  };
  atEnd(close);
  return {
    orders,
    reports,
    workOrders,
    transfers,
    moves,
    exchanges,
    pushes,
    close,
    async flood(clientId, count, lines) {
      const left = Array.from({ length: count }, () => newOrder(clientId, lines, false));
      const next = () => left.pop();
      await Promise.all(
        Array.from({ length: floodersAtOnce }, async () => {
          for (let order = next(); order !== undefined && !isOver; order = next()) await attempt(order);
        }),
      );
    },
    async settle(msMax) {
      isOver = true;
      await until("the load to end", () => Promise.all(steady).then(() => true), msMax);
      await until(
        "every order to have its answer",
        async () => {
          await retry();
          return orders.every(({ token }) => token !== undefined);
        },
        msMax,
      ).catch(() => {});
    },
  };
}

interface Task {
  readonly type: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly withdrawnAt: string | null;
  readonly lines: readonly { readonly lineNumber: number; readonly sku: string; readonly qty: number }[];
}

async function fetchToken(url: string, oauth: ChaosClient["oauth"]): Promise<Record<string, string>> {
  const body = JSON.stringify({ grant_type: "client_credentials", ...oauth });
  const answer = await call(`${url}/v1/oauth/token`, { method: "POST", headers: json, body });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.body}`);
  return { authorization: `Bearer ${(JSON.parse(answer.body) as { access_token: string }).access_token}` };
}

/** Gives each client its items, their stock, and a webhook for all topics. */
async function prepare(
  house: House,
  receiver: Receiver,
  bearer: (name: string, oauth: ChaosClient["oauth"]) => Promise<Record<string, string>>,
): Promise<void> {
  const must = (answer: Answer, status: number) => {
    if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.body}`);
  };
  for (const client of house.clients) {
    const { clientId, feed, oauth } = client;
    const skus = Array.from({ length: skusOf(client) }, (_, i) => skuOf(i));
    // Before any event: a webhook does not receive earlier events.
    must(
      await call(`${house.url}/v1/webhookService/webhook/create`, {
        method: "POST",
        headers: { ...(await bearer(clientId, oauth)), ...json },
        body: JSON.stringify({
          clientId,
          topicName: "*",
          facilityCode: "*",
          contentType: "application/json",
          url: `${receiver.url}/${clientId}`,
        }),
      }),
      201,
    );
    const headers = { "x-api-key": feed.apiKey, "content-type": "application/xml" };
    const url = `${house.url}/feeds/${clientId}/CAT`;
    const components = { component: [0, 1].map((i) => ({ sku: skuOf(i), qty: i + 1 })) };
    const items = [...skus, ...Object.values(alone), { sku: kit, components }];
    const taken = await call(url, { method: "POST", headers, body: catalogue(clientId, items) });
    if (!taken.isAccepted) throw new Error(taken.body);
    for (const [code, oauth] of house.warehouses) {
      const lines = [...skus, alone[code]].map((sku) => ({ sku, qty: piecesOfSku }));
      const adjustmentId = `INITIAL-${code}-${clientId}`;
      must(
        await call(`${house.url}/v1/warehouseService/adjustment/report`, {
          method: "POST",
          headers: { ...(await bearer(`warehouse ${code}`, oauth)), ...json },
          body: JSON.stringify({ clientId, adjustmentId, reasonCode: "INITIAL", lines }),
        }),
        200,
      );
    }
  }
}
