// rest.md §3: the client sends counts, and gets differences and the movements since the last agreement.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER", { facilities: ["DC1"] });
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const rest = restCalls(server.url, "/v1", demo.credentials);
const restOfOther = restCalls(server.url, "/v1", other.credentials);
const many = Array.from({ length: 1_001 }, (_, i) => `M-${i}`);
const kg = { sku: "KG", extendedAttributes: attributes({ StockUom: "KG" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "D", "E", "LONG", "RACE", "KEY", kg, ...many]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
afterEach(() => goods.assertSound());

interface Movement {
  readonly position: number;
  readonly sku: string;
  readonly qty: number;
  readonly affectsOnHand: boolean;
}

interface Item {
  readonly sku: string;
  readonly theirs: number;
  readonly ours: number;
  readonly difference: number;
  readonly agreement: { readonly position: number; readonly qty: number; readonly at: string } | null;
  readonly movements: readonly Movement[];
  readonly nextCursor: string | null;
}

type Counts = readonly (readonly [sku: string, qty: number])[];
const bodyOf = (counts: Counts, distributionCentre = "DC1") => ({
  distributionCentre,
  counts: counts.map(([sku, qty]) => ({ sku, qty })),
});
const send = (body: object, headers: Readonly<Record<string, string>> = {}, call = rest) =>
  call("POST", "/inventoryService/reconcile", body, headers);

async function reconcile(...counts: Counts): Promise<{ position: number; items: readonly Item[] }> {
  const { status, body } = await send(bodyOf(counts));
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as { position: number; items: readonly Item[] };
}

async function refuse(status: number, body: object): Promise<[pointers: string[], detail: string]> {
  const answer = await send(body);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  const errors = answer.body.errors as { pointer: string }[];
  return [errors.map(({ pointer }) => pointer).sort(), String(answer.body.detail)];
}

let number = 0;
const adjust = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: `A-${++number}`,
    reasonCode: qty < 0 ? "LOST" : "FOUND",
    lines: [{ sku, qty, ...more }],
  });
const sumOf = (movements: readonly Movement[]) =>
  movements.reduce((sum, { qty }) => sum + Math.round(qty * 1000), 0) / 1000;

test("before anything was agreed on, all that was ever booked explains a difference", async () => {
  await adjust("A", 10);
  await adjust("B", 4);
  await adjust("A", -3);
  const { position, items } = await reconcile(["B", 4], ["A", 9], ["C", 0], ["D", 2]);
  assert.equal(position, 3);
  assert.deepEqual(
    items.map(({ sku, theirs, ours, difference }) => [sku, theirs, ours, difference]),
    [
      ["B", 4, 4, 0],
      ["A", 9, 7, 2],
      ["C", 0, 0, 0],
      ["D", 2, 0, 2],
    ],
  );
  assert.deepEqual(
    items.map(({ agreement, movements, nextCursor }) => [
      agreement && [agreement.position, agreement.qty],
      movements.map((movement) => [movement.position, movement.qty]),
      nextCursor,
    ]),
    [
      [[3, 4], [], null],
      [
        null,
        [
          [1, 10],
          [3, -3],
        ],
        null,
      ],
      [[3, 0], [], null],
      [null, [], null],
    ],
  );
});

test("after an agreement only what was booked since is reported, as the feed tells it, and stock is left as it is", async () => {
  await reconcile(["A", 7]);
  await adjust("A", 5, { condition: "DAMAGED" });
  await dc1.report("hold", {
    clientId: "DEMO",
    reasonCode: "CONDITION",
    lines: [{ sku: "A", qty: 2, fromCondition: "GOOD", toCondition: "ON_HOLD" }],
  });
  const before = await goods.stock("A");
  const [item] = (await reconcile(["A", 7])).items;
  assert.deepEqual([item?.ours, item?.difference, item?.agreement?.qty], [12, -5, 7]);
  assert.ok(Math.abs(Date.parse(String(item?.agreement?.at)) - Date.now()) < 60_000);
  const feed = await rest("GET", `/inventoryService/movement/list?distributionCentre=DC1&sku=A&sincePosition=3`);
  assert.deepEqual(item?.movements, feed.body.items);
  assert.equal(sumOf(item?.movements ?? []), 5);
  assert.deepEqual(await goods.stock("A"), before);
  // A difference does not change the agreement; the next matching count does.
  assert.equal((await reconcile(["A", 11])).items[0]?.agreement?.position, 3);
  const agreed = await reconcile(["A", 12]);
  assert.deepEqual([agreed.items[0]?.agreement?.position, agreed.items[0]?.movements], [agreed.position, []]);
  assert.deepEqual((await reconcile(["A", 11])).items[0]?.movements, []);
});

test("our quantity is always the agreed quantity plus the listed movements, with any events in between", async () => {
  let state = 4711;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  const skus = ["B", "C", "D", "E", "KG"];
  const conditions = ["GOOD", "DAMAGED", "ON_HOLD"];
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 5; i++) {
      const sku = skus[random(skus.length)] as string;
      const qty = sku === "KG" ? (1 + random(9_999)) / 1000 : 1 + random(9);
      const condition = conditions[random(3)];
      const path = random(3) === 0 ? "/hold/report" : "/adjustment/report";
      const line = path.startsWith("/hold")
        ? { sku, qty, fromCondition: condition, toCondition: conditions[random(3)] }
        : { sku, qty: random(3) === 0 ? -qty : qty, condition };
      // An adjustment of missing stock is refused; another test covers that.
      const named = { clientId: "DEMO", adjustmentId: `R-${round}-${i}`, reasonCode: "OTHER", lines: [line] };
      const { adjustmentId: _, ...held } = named;
      const { status } = await dc1.post(path, path.startsWith("/hold") ? held : named);
      assert.ok([200, 409, 422].includes(status));
    }
    const ours = new Map(
      (await reconcile(...skus.map((sku) => [sku, 999] as const))).items.map((item) => [item.sku, item.ours]),
    );
    const statement = await reconcile(
      ...skus.map((sku) => [sku, (ours.get(sku) ?? 0) + (random(2) === 0 ? 0 : 1)] as const),
    );
    for (const { sku, difference, agreement, movements, nextCursor } of statement.items) {
      assert.equal(nextCursor, null);
      assert.ok(movements.every((movement) => movement.sku === sku && movement.affectsOnHand));
      if (difference !== 0) {
        assert.ok(
          movements.every(({ position }) => position > (agreement?.position ?? 0) && position <= statement.position),
        );
        const sum = Math.round(((agreement?.qty ?? 0) + sumOf(movements)) * 1000) / 1000;
        assert.equal(sum, ours.get(sku), `${round} ${sku}`);
      } else assert.deepEqual([agreement?.position, movements], [statement.position, []]);
    }
  }
});

test("the first hundred of many movements are reported, and the feed has the rest", async () => {
  for (let i = 0; i < 13; i++) {
    const lines = Array.from({ length: 10 }, (_, k) => ({ sku: "LONG", qty: 1, batchRef: `B-${i}-${k}` }));
    await dc1.report("adjustment", { clientId: "DEMO", adjustmentId: `L-${i}`, reasonCode: "FOUND", lines });
  }
  const [item] = (await reconcile(["LONG", 1])).items;
  assert.deepEqual([item?.ours, item?.movements.length], [130, 100]);
  const rest_ = await rest(
    "GET",
    `/inventoryService/movement/list?distributionCentre=DC1&sku=LONG&cursor=${item?.nextCursor}`,
  );
  assert.equal(rest_.status, 200);
  assert.equal(sumOf([...(item?.movements ?? []), ...(rest_.body.items as Movement[])]), 130);
});

test("a thousand products go in one request, and no more", async () => {
  const counts = many.map((sku) => [sku, 1] as const);
  const { items } = await reconcile(...counts.slice(0, 1_000));
  assert.deepEqual(
    items.map(({ sku }) => sku),
    many.slice(0, 1_000),
  );
  assert.ok(items.every(({ ours, difference }) => ours === 0 && difference === 1));
  assert.deepEqual((await refuse(400, bodyOf(counts)))[0], ["#/counts"]);
});

test("agreements that are made at once never go back, and wait for none", async () => {
  await adjust("RACE", 1);
  for (let round = 0; round < 6; round++) {
    const at = (await reconcile(["RACE", 0])).position;
    const [low, high] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => reconcile(["RACE", round + 1], ["E", 999_999]))),
      adjust("RACE", 1).then(() =>
        Promise.all(Array.from({ length: 4 }, () => reconcile(["E", 999_999], ["RACE", round + 2]))),
      ),
    ]);
    const agreed = [...low, ...high].flatMap(({ items }) =>
      items.filter((item) => item.sku === "RACE" && item.difference === 0),
    );
    const last = Math.max(...agreed.map(({ agreement }) => agreement?.position ?? 0));
    assert.ok(last > at);
    assert.equal((await reconcile(["RACE", 0])).items[0]?.agreement?.position, last);
  }
});

test("sent again with its Idempotency-Key it is answered as the first time; with another body it is a 409", async () => {
  await adjust("KEY", 5);
  const headers = { "idempotency-key": "reconcile-1" };
  const first = await send(bodyOf([["KEY", 4]]), headers);
  await adjust("KEY", -1);
  const again = await send(bodyOf([["KEY", 4]]), headers);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal((await send(bodyOf([["KEY", 5]]), headers)).status, 409);
  const anew = (await send(bodyOf([["KEY", 4]]))).body.items as Item[];
  assert.equal(anew[0]?.difference, 0);
});

test("counts that cannot be taken are a 400 that names each", async () => {
  assert.deepEqual((await refuse(400, { distributionCentre: "DC1" }))[0], ["#/counts"]);
  assert.deepEqual((await refuse(400, { counts: [] }))[0], ["#/counts", "#/distributionCentre"]);
  assert.deepEqual((await refuse(400, bodyOf([["A", -1]])))[0], ["#/counts/0/qty"]);
  assert.deepEqual((await refuse(400, bodyOf([["KG", 1.0005]])))[0], ["#/counts/0/qty"]);
  assert.deepEqual((await refuse(400, bodyOf([["A", 1e12]])))[0], ["#/counts/0/qty"]);
  assert.deepEqual(
    (
      await refuse(
        400,
        bodyOf([
          ["", 1],
          ["A\0", 1],
        ]),
      )
    )[0].slice(0, 2),
    ["#/counts/0/sku", "#/counts/1/sku"],
  );
  assert.deepEqual((await refuse(400, { ...bodyOf([["A", 1]]), counts: [{ sku: "A", qty: "1" }] }))[0], [
    "#/counts/0/qty",
  ]);
  assert.deepEqual((await refuse(400, { ...bodyOf([["A", 1]]), apply: true }))[0], ["#/apply"]);
  assert.deepEqual((await refuse(400, { ...bodyOf([]), counts: [{ sku: "A", qty: 1, uom: "EA" }] }))[0], [
    "#/counts/0/uom",
  ]);
  const [pointers, detail] = await refuse(
    400,
    bodyOf([
      ["A", 1],
      ["B", 1],
      ["A", 2],
      ["A", 3],
    ]),
  );
  assert.deepEqual(pointers, ["#/counts/2/sku", "#/counts/3/sku"]);
  assert.match(detail, /is present twice, first in counts\/0/);
});

test("what does not exist is a 422 that names all of it; nothing is agreed on then", async () => {
  const [pointers, detail] = await refuse(
    422,
    bodyOf(
      [
        ["NEVER", 1],
        ["A", 1.5],
        ["C", 0],
        ["NOR", 1],
      ],
      "DC9",
    ),
  );
  assert.deepEqual(pointers, ["#/counts/0/sku", "#/counts/1/qty", "#/counts/3/sku", "#/distributionCentre"]);
  assert.match(detail, /'DC9' is not a facility of the client; did you mean DC/);
  const agreements = () =>
    server.rows<{ n: number }>("select count(*)::int as n from stock_reconciliation where sku = 'M-0'");
  assert.equal(
    (
      await refuse(
        422,
        bodyOf([
          ["M-0", 0],
          ["NEVER", 0],
        ]),
      )
    )[0].length,
    1,
  );
  assert.deepEqual(await agreements(), [{ n: 0 }]);
});

test("another client's goods, agreements and facilities are not there", async () => {
  const mine = await send(bodyOf([["A", 0]]), {}, restOfOther);
  assert.equal(mine.status, 200);
  assert.deepEqual([mine.body.position, (mine.body.items as Item[])[0]?.ours], [0, 0]);
  assert.equal((await reconcile(["A", 0])).items[0]?.ours, 12);
  assert.equal((await send(bodyOf([["B", 0]]), {}, restOfOther)).status, 422);
  assert.equal((await send(bodyOf([["A", 0]], "DC2"), {}, restOfOther)).status, 422);
  assert.equal((await send({ ...bodyOf([["A", 0]]), clientId: "DEMO" }, {}, restOfOther)).status, 403);
  assert.equal((await send({ ...bodyOf([["A", 0]]), clientId: "DEMO" })).status, 200);
});
