// The oracle detects its faults: a good history passes, and each kind of bad history is named.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sequenceOf } from "./faults.ts";
import type { Exchange, History, SentOrder, Stored } from "./history.ts";
import { mappingsOf, readHeap } from "./memory.ts";
import * as oracle from "./oracle.ts";

const clientId = "CALM1";

/** Two orders of one client, all of whose events were pushed; the first one was despatched. */
function goodHistory() {
  const orders: SentOrder[] = ["C-1", "C-2"].map((objectId, i) => ({
    clientId,
    objectId,
    lines: 2,
    pieces: 3,
    isFile: false,
    xml: "",
    beganMs: 1_000 + i,
    token: `T-${i + 1}`,
    ackedAtMs: 1_100 + i,
    pushedAtMs: 1_300 + i,
  }));
  const published = orders.flatMap(({ objectId, token = "" }) => [
    { topic: "feed:accepted", objectId: token },
    { topic: "order:received", objectId },
    { topic: "feed:processed", objectId: token },
  ]);
  const events = [
    ...published,
    { topic: "order:despatched", objectId: "C-1" },
    { topic: "transfer:shipped", objectId: "TR-1" },
  ].map((event, i) => ({
    ...event,
    id: `evt_${i + 1}`,
    position: i + 1,
  }));
  const stored: Stored = {
    clientId,
    documents: orders.map(({ token = "", objectId }) => ({ token, type: "NO", state: "PROCESSED", objectId })),
    orders: orders.map(({ token = "", objectId }) => ({
      orderId: objectId,
      token,
      lines: 2,
      pieces: 3,
      facilities: ["DC2"],
    })),
    transfers: [{ transferId: "TR-1", status: "CLOSED", shipped: 5, received: 4 }],
    workOrderIds: ["W-1"],
    events,
    deliveries: events.map(({ id }) => ({ eventId: id, status: "DELIVERED" })),
    outbound: [
      ...orders.map(({ token = "" }, i) => ({ type: "ACK", objectId: token, token, position: i + 1 })),
      { type: "ADJ", objectId: "TR-1", token: null, position: 3 },
    ],
  };
  const history: History = {
    orders,
    reports: [{ clientId, kind: "despatch", objectId: "C-1", reportId: "despatch-1", isAnswered: true }],
    workOrders: [{ clientId, workOrderId: "W-1", isAnswered: true }],
    transfers: [{ clientId, transferId: "TR-1", isAnswered: true, shipped: 5, received: 4 }],
    moves: [{ clientId, orderId: "C-2", to: "DC2" }],
    pushes: events.map(({ id, objectId }, i) => ({ clientId, id, objectId, atMs: 2_000 + i })),
    stored: [stored],
  };
  return { history, stored };
}

const checksOf = (breaches: readonly oracle.Breach[]) => [...new Set(breaches.map(({ check }) => check))].sort();

test("a good history passes", () => {
  assert.deepEqual(oracle.judgeHistory(goodHistory().history), []);
});

/** The change to the good history, and the checks that detect it. */
const bad: Record<string, readonly [(good: ReturnType<typeof goodHistory>) => History, ...string[]]> = {
  "an acknowledged order without its document": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, documents: stored.documents.slice(1), orders: stored.orders.slice(1) }],
    }),
    "doubled",
    "lost",
  ],
  "an acknowledged order that was given up": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, documents: stored.documents.map((document) => ({ ...document, state: "FAILED" })) }],
    }),
    "lost",
  ],
  "an order of two documents": [
    ({ history, stored }) => {
      const second = { token: "T-3", type: "NO", state: "PROCESSED", objectId: "C-1" };
      return { ...history, stored: [{ ...stored, documents: [...stored.documents, second] }] };
    },
    "doubled",
    "lost",
  ],
  "an order without one of its lines": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, orders: stored.orders.map((order) => ({ ...order, lines: 1 })) }],
    }),
    "halved",
  ],
  "two ACKs of one document": [
    ({ history, stored }) => ({
      ...history,
      stored: [
        { ...stored, outbound: [...stored.outbound, { type: "ACK", objectId: "T-1", token: "T-1", position: 4 }] },
      ],
    }),
    "doubled",
  ],
  "a transfer that shipped less than was reported": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, transfers: stored.transfers.map((transfer) => ({ ...transfer, shipped: 4 })) }],
    }),
    "halved",
  ],
  "an answered transfer that is not there": [
    ({ history, stored }) => ({ ...history, stored: [{ ...stored, transfers: [] }] }),
    "lost",
  ],
  "a shipment that was booked twice": [
    ({ history, stored }) => {
      const again = { type: "ADJ", objectId: "TR-1", token: null, position: 4 };
      return { ...history, stored: [{ ...stored, outbound: [...stored.outbound, again] }] };
    },
    "doubled",
  ],
  "a moved order that stayed": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, orders: stored.orders.map((order) => ({ ...order, facilities: ["DC1", "DC2"] })) }],
    }),
    "lost",
  ],
  "a step that is published twice": [
    ({ history, stored }) => {
      const again = { id: "evt_9", position: 9, topic: "order:despatched", objectId: "C-1" };
      return {
        ...history,
        pushes: [...history.pushes, { clientId, id: "evt_9", objectId: "C-1", atMs: 3_000 }],
        stored: [
          {
            ...stored,
            events: [...stored.events, again],
            deliveries: [...stored.deliveries, { eventId: "evt_9", status: "DELIVERED" }],
          },
        ],
      };
    },
    "doubled",
  ],
  // `outbox_lane.last_position` was set back by three.
  "positions that were given twice": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, events: stored.events.map((event, i) => ({ ...event, position: i < 4 ? i + 1 : i - 2 })) }],
    }),
    "order of pushes",
    "positions",
  ],
  "a gap between positions": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, events: stored.events.map((event, i) => ({ ...event, position: i < 4 ? i + 1 : i + 2 })) }],
    }),
    "positions",
  ],
  "two outbound documents at one place": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, outbound: stored.outbound.map((document) => ({ ...document, position: 1 })) }],
    }),
    "positions",
  ],
  // The cursor of webhooks was ahead of the log.
  "events that no delivery is made of": [
    ({ history, stored }) => ({
      ...history,
      pushes: history.pushes.slice(0, 5),
      stored: [{ ...stored, deliveries: stored.deliveries.slice(0, 5) }],
    }),
    "deliveries",
  ],
  "a delivery that is still open": [
    ({ history, stored }) => ({
      ...history,
      stored: [{ ...stored, deliveries: stored.deliveries.map((delivery) => ({ ...delivery, status: "RETRYING" })) }],
    }),
    "deliveries",
  ],
  "a push of what never happened": [
    ({ history }) => ({ ...history, pushes: [...history.pushes, { clientId, id: "evt_9", objectId: "C-9", atMs: 9 }] }),
    "deliveries",
  ],
  "events of an object that came in another order": [
    ({ history }) => ({ ...history, pushes: history.pushes.toReversed() }),
    "order of pushes",
  ],
  "an answered despatch without an event": [
    ({ history }) => ({ ...history, reports: history.reports.map((report) => ({ ...report, objectId: "C-2" })) }),
    "lost",
  ],
  "a work order that was answered and is not there": [
    ({ history, stored }) => ({ ...history, stored: [{ ...stored, workOrderIds: [] }] }),
    "lost",
  ],
};

for (const [what, [change, ...checks]] of Object.entries(bad)) {
  test(`seen: ${what}`, () => {
    assert.deepEqual(checksOf(oracle.judgeHistory(change(goodHistory()))), checks);
  });
}

test("an event that arrives again after a kill is not a violation", () => {
  const { history } = goodHistory();
  assert.deepEqual(oracle.judgeHistory({ ...history, pushes: [...history.pushes, ...history.pushes] }), []);
});

const phase = { fault: "disk-full", beganMs: 10_000, endedMs: 20_000, breaksConnections: false, breaksTokens: false };
const exchange = (more: Partial<Exchange>): Exchange => ({
  kind: "feed",
  clientId,
  beganMs: 12_000,
  ms: 100,
  stretch: 1,
  status: 200,
  hasRetryAfter: false,
  ...more,
});

test("answers: a 503 has Retry-After, and no other server error is allowed", () => {
  const judge = (more: Partial<Exchange>, by: Partial<oracle.Phase> = {}) =>
    checksOf(oracle.judgeAnswers([exchange(more)], [{ ...phase, ...by }], 6_000));
  assert.deepEqual(judge({}), []);
  assert.deepEqual(judge({ status: 503, hasRetryAfter: true }), []);
  assert.deepEqual(judge({ status: 503 }), ["answers"]);
  // A full disk answered as an error of the program.
  assert.deepEqual(judge({ status: 500 }), ["answers"]);
  assert.deepEqual(judge({ status: undefined }), ["answers"]);
  assert.deepEqual(judge({ status: undefined }, { breaksConnections: true }), []);
  assert.deepEqual(judge({ status: undefined, beganMs: 30_000 }, { breaksConnections: true }), ["answers"]);
  assert.deepEqual(judge({ status: 401 }), ["answers"]);
  assert.deepEqual(judge({ status: 401 }, { breaksTokens: true }), []);
  // A request without a deadline.
  assert.deepEqual(judge({ status: 503, hasRetryAfter: true, ms: 17_800 }), ["deadline"]);
  assert.deepEqual(judge({ ms: 17_800, stretch: 3 }), []);
});

const order = (ackedAtMs: number, pushedAtMs?: number, of = clientId): SentOrder => ({
  clientId: of,
  objectId: "C",
  lines: 1,
  pieces: 1,
  isFile: false,
  xml: "",
  beganMs: 0,
  token: "T",
  ackedAtMs,
  ...(pushedAtMs === undefined ? {} : { pushedAtMs }),
});

test("liveness: an unpushed event counts with its waiting time so far", () => {
  const calm = oracle.latencyOf([order(1_000, 1_400), order(2_000)], 37_000);
  assert.deepEqual(calm, { count: 2, p50Ms: 400, p99Ms: 35_000, maxMs: 35_000 });
  // No push in 35 s, because of two other clients.
  assert.deepEqual(checksOf(oracle.judgeLiveness("slow-clients", calm, 5_000)), ["liveness"]);
  assert.deepEqual(oracle.judgeLiveness("slow-clients", oracle.latencyOf([order(1_000, 5_900)], 9_000), 5_000), []);
});

test("liveness: only orders of the requested clients and time count", () => {
  const all = [order(1_000), order(12_000), order(12_000, 12_100, "VICTIM1"), order(25_000)];
  assert.deepEqual(oracle.ordersOf(all, new Set([clientId]), phase), [all[1]]);
});

test("recovery: waiting events have arrived, and new ones of each client", () => {
  const both = new Set([clientId, "CALM2"]);
  const span = { beganMs: 5_000, endedMs: 10_000 };
  const before = [order(9_000, 9_100), order(9_000, 11_000, "CALM2")];
  assert.equal(oracle.recoveredAt(before, both, span), undefined);
  const fresh = [...before, order(12_000, 12_500), order(12_100, 13_000, "CALM2")];
  assert.equal(oracle.recoveredAt(fresh, both, span), 13_000);
  assert.equal(oracle.recoveredAt([...fresh, order(9_500)], both, span), undefined);
  // An order that waited before the fault began does not count for this fault.
  assert.equal(oracle.recoveredAt([...fresh, order(4_000)], both, span), 13_000);
  // A lease from a day ahead.
  assert.deepEqual(checksOf(oracle.judgeRecovery("clock-ahead-kill", undefined, 10_000)), ["recovery"]);
  assert.deepEqual(checksOf(oracle.judgeRecovery("clock-ahead-kill", 10_001, 10_000)), ["recovery"]);
  assert.deepEqual(oracle.judgeRecovery("clock-ahead-kill", 3_000, 10_000), []);
});

test("a seed gives the same faults again, each once before one comes a second time", () => {
  const take = (seed: number, count: number, ...chosen: string[]) => {
    const taken = sequenceOf(seed, chosen).take(count);
    return [...taken].map(({ fault, ms }) => `${fault.name} ${ms}`);
  };
  assert.deepEqual(take(7, 40), take(7, 40));
  assert.notDeepEqual(take(7, 18), take(8, 18));
  assert.equal(new Set(take(7, 17).map((text) => text.split(" ")[0])).size, 17);
  assert.ok(!take(7, 17).some((text) => text.startsWith("poison-position")));
  assert.deepEqual(take(7, 1, "poison-position").length, 1);
  assert.ok(take(7, 12, "clock").every((text) => text.startsWith("clock-")));
  assert.deepEqual(take(7, 1, "no such fault"), []);
});

test("memory: mappings are distinguished, and a heap is counted by constructor", () => {
  const smaps = [
    "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 ",
    "Rss:                2048 kB",
    "55550000-55560000 rw-p 00000000 00:00 0                          [heap]",
    "Rss:                1024 kB",
    "55570000-55580000 r-xp 00000000 08:01 42                         /usr/bin/node",
    "Rss:                3072 kB",
    "7f0000200000-7f0000300000 rw-p 00000000 00:00 0 ",
    "Rss:                4096 kB",
  ].join("\n");
  assert.deepEqual(mappingsOf(smaps), { arenas: 2, mallocHeap: 1, files: 3, otherAnonymous: 4 });
  const meta = { node_fields: ["type", "name", "self_size"], node_types: [["object", "string"]] };
  const heap = readHeap({ snapshot: { meta }, nodes: [0, 0, 16, 0, 0, 24, 1, 1, 100], strings: ["Order", "text"] });
  assert.deepEqual(
    [...heap],
    [
      ["object Order", { count: 2, bytes: 40 }],
      ["(string)", { count: 1, bytes: 100 }],
    ],
  );
});
