// The daily load of a client's systems: feeds by HTTP and SFTP; reads, writes and tokens by REST. Nothing is sent
// twice, and every unexpected response is a fault.
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "../../support/app/at-end.ts";
import { openSession, type SftpPlace } from "../../support/sftp/session.ts";
import type { Sent } from "../oracles/oracle.ts";
import { type Answer, bearerOf, call, orderXml, type Sendable, type Served, sendFeed } from "./sender.ts";

export type Kind = "feed" | "read" | "write" | "token" | "file";

export interface MixedLoad {
  /** Orders sent by HTTP and by file. */
  readonly sent: readonly Sent[];
  /** Work orders that were created. */
  readonly workOrders: readonly string[];
  /** Duration of each request, in milliseconds. */
  readonly took: Readonly<Record<Kind, number[]>>;
  readonly faults: readonly string[];
  /** Waits for requests in flight and stops. */
  end(): Promise<void>;
}

export interface MixedLoadOptions {
  readonly served: Served;
  /** If absent, no files are uploaded. */
  readonly sftp?: SftpPlace | undefined;
  readonly random: () => number;
  /** Prefix of the ids. */
  readonly name: string;
}

const feedSenders = 5;
const readers = 2;

export function startMixedLoad({ served, sftp, random, name }: MixedLoadOptions): MixedLoad {
  const sent: Sent[] = [];
  const workOrders: string[] = [];
  const took: Record<Kind, number[]> = { feed: [], read: [], write: [], token: [], file: [] };
  const faults: string[] = [];
  const { clientId } = served.demo;
  let isOver = false;
  let number = 0;
  let bearer = bearerOf(served);

  /** Repeats `work` with a pause of up to twice `pauseMs`. A thrown error is a fault. */
  async function keep(kind: Kind, pauseMs: number, work: () => Promise<void>): Promise<void> {
    while (!isOver) {
      const beganMs = performance.now();
      try {
        await work();
        took[kind].push(performance.now() - beganMs);
      } catch (error) {
        faults.push(`${kind}: ${(error as Error).message}`);
      }
      await sleep(2 * pauseMs * random());
    }
  }

  function expect(answer: Answer, status: number): Answer {
    if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.body}`);
    return answer;
  }

  function newOrder(): Sent {
    const objectId = `${name}-${++number}`;
    const order: Sent = { type: "NO", objectId, lines: 2, xml: orderXml(objectId, 2) };
    sent.push(order);
    return order;
  }

  async function sendOrder(): Promise<void> {
    const order = newOrder();
    const answer = expect(await sendFeed(served, order as Sendable), 200);
    if (!answer.isAccepted) throw new Error(`not accepted: ${answer.body}`);
    order.answer = answer;
  }

  const json = { "content-type": "application/json" };
  const rest = async (method: string, path: string, status: number, body?: object) => {
    const headers = { ...(await bearer), ...(body === undefined ? {} : json) };
    const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return expect(await call(`${served.url}/v1${path}`, options), status);
  };

  const anOrder = () => sent.filter(({ answer }) => answer).at(Math.floor(random() * -40))?.objectId;

  async function read(): Promise<void> {
    const objectId = random() < 0.5 ? anOrder() : undefined;
    if (objectId === undefined) await rest("GET", "/orderService/order/list?limit=20&sort=-receivedAt", 200);
    else await rest("GET", `/orderService/order/get/${objectId}`, 200);
  }

  async function write(): Promise<void> {
    const workOrderId = `${name}-W${++number}`;
    await rest("POST", "/workOrderService/workOrder/create", 201, {
      clientId,
      workOrderId,
      facilityCode: "DC1",
      finishedGoodSku: "FAULT-1",
      qty: 1,
      components: [{ sku: "FAULT-2", qtyPer: 1 }],
    });
    workOrders.push(workOrderId);
    const objectId = anOrder();
    if (objectId === undefined) return;
    // Creates several events of one object, whose order can be checked.
    await rest("POST", `/orderService/order/hold/${objectId}`, 200, { reason: "ASKED" });
    await rest("POST", `/orderService/order/release/${objectId}`, 200, {});
  }

  async function askToken(): Promise<void> {
    const next = bearerOf(served);
    next.catch(() => {});
    if (!(await next).authorization?.startsWith("Bearer ey")) throw new Error("no token");
    bearer = next;
  }

  async function putFile(place: SftpPlace): Promise<void> {
    const { username, password } = served.demo.sftp;
    const session = await openSession(place, { username, password });
    try {
      const order = newOrder();
      const file = `${order.objectId}.xml`;
      await session.put(`/inbound/NO/${file}`, Buffer.from(order.xml));
      const body = (await session.get(`/acks/${file}.ack.xml`)).toString();
      if (!body.includes("<success>true</success>")) throw new Error(`not accepted: ${body}`);
      const token = /<token>([^<]*)/.exec(body)?.[1] ?? "";
      order.answer = { status: 200, headers: {}, body, ms: 0, isAccepted: true, token };
    } finally {
      session.end();
    }
  }

  const working = [
    ...Array.from({ length: feedSenders }, () => keep("feed", 100, sendOrder)),
    ...Array.from({ length: readers }, () => keep("read", 40, read)),
    keep("write", 150, write),
    keep("token", 150, askToken),
    ...(sftp === undefined ? [] : [keep("file", 250, () => putFile(sftp))]),
  ];

  const end = async () => {
    isOver = true;
    await Promise.all(working);
  };
  // For a test that fails before it ends the load.
  atEnd(end);
  return { sent, workOrders, took, faults, end };
}

/** The longest duration of each kind, as text. */
export function describeTook({ took }: Pick<MixedLoad, "took">): string {
  return Object.entries(took)
    .map(([kind, all]) => {
      const sorted = all.toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
      return `${kind}: ${all.length}, median ${at(0.5)} ms, longest ${at(1)} ms`;
    })
    .join("; ");
}
