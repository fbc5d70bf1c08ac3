// The feed log of the console: documents are found, read with their faults, validated again, parked, retried, checked
// and sent.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { authorisation, catalogue, documentOf, order } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER", { facilities: ["DC2"] });
await demo.accept("CAT", catalogue("DEMO", ["A"]));
const anna = await signIn(server, "operator");
const vera = await signIn(server, "viewer");

const unknown = (sku: string) => `[UNKNOWN_SKU] The request references unknown SKUs: ${sku}`;
const pretty = (xml: string) => xml.replaceAll("><", ">\n<");
const tokensOf = (body: { items: { token: string }[] }) => body.items.map(({ token }) => token);

test("the list finds documents by client, type, state, outcome, code, object, token, channel and time", async () => {
  const from = new Date(Date.now() - 1_000).toISOString();
  const good = await demo.accept("NO", order("DEMO", "L-1001", ["A"]));
  const bad = await demo.refuse("NO", order("DEMO", "L-1002", ["NEVER"]), unknown("NEVER"));
  const broken = await demo.refuse("RMA", "<returnMerchandiseAuthorization>", /^\[XML\] Line 1/);
  const foreign = await other.refuse("NO", order("OTHER", "L-1003", ["A"]), unknown("A"));
  await demo.becomes(good.token, "PROCESSED");
  const find = async (query: string, user = anna) => {
    const answer = await user.get(`/feed/list?receivedFrom=${from}&sort=-receivedAt&${query}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return tokensOf(answer.body);
  };
  const all = [foreign.token, broken.token, bad.token, good.token];
  assert.deepEqual((await find("")).slice(0, 4), all);
  assert.deepEqual(await find("objectId=L-100"), [foreign.token, bad.token, good.token]);
  assert.deepEqual(await find("objectId=L-1002&clientId=DEMO"), [bad.token]);
  assert.deepEqual(await find("clientId=DEMO&state=REJECTED"), [broken.token, bad.token]);
  assert.deepEqual(await find("clientId=DEMO&state=REJECTED&state=PARKED&state=REJECTED"), [broken.token, bad.token]);
  assert.deepEqual(await find("objectId=L-100&state=PROCESSED&state=REJECTED"), [foreign.token, bad.token, good.token]);
  assert.deepEqual(await find("outcome=REJECTED"), [foreign.token, broken.token, bad.token]);
  assert.deepEqual(await find("outcome=ACCEPTED&type=NO"), [good.token]);
  assert.deepEqual(await find("outcome=ACCEPTED&state=REJECTED"), []);
  assert.deepEqual(await find("state=PROCESSED&objectId=L-&limit=1"), [good.token]);
  assert.deepEqual(await find("errorCode=UNKNOWN_SKU"), [foreign.token, bad.token]);
  assert.deepEqual(await find("type=RMA&channel=HTTP"), [broken.token]);
  assert.deepEqual(await find("isOverdue=1"), []);
  assert.deepEqual(await find("distributionCentre=DC1&objectId=L-"), [bad.token, good.token]);
  assert.deepEqual(await find(`token=${bad.token}`), [bad.token]);
  assert.ok((await find(`token=${bad.token.slice(0, 8)}`)).includes(bad.token));
  assert.deepEqual(await find(`receivedTo=${from}`), []);
  const { body } = await anna.get(`/feed/list?token=${bad.token}`);
  assert.deepEqual(body.items[0].firstError, {
    code: "UNKNOWN_SKU",
    text: "The request references unknown SKUs: NEVER",
    line: null,
  });
  const limited = await signIn(server, "operator", { clientIds: ["OTHER"] });
  assert.deepEqual(await find("objectId=L-", limited), [foreign.token]);
  assert.equal((await limited.get(`/feed/get/${bad.token}`)).status, 404);
  assert.equal((await limited.get("/feed/list?clientId=DEMO")).status, 403);
});

test("the list is read page by page, in both directions, without a gap", async () => {
  for (const orderId of ["PAGE-1", "PAGE-2", "PAGE-3"]) await demo.accept("NO", order("DEMO", orderId, ["A"]));
  // The rows of the store, not of the list: a row that every page omits would be missing on both sides.
  const sent = await server.rows<{ token: string; client_id: string; state: string }>(
    "select token, client_id, state from feed_document order by token",
  );
  const isRejected = ({ state }: { state: string }) => ["REJECTED", "PARKED"].includes(state);
  for (const [filter, expected] of [
    ["", sent],
    ["&clientId=DEMO", sent.filter(({ client_id }) => client_id === "DEMO")],
    ["&outcome=REJECTED", sent.filter(isRejected)],
    ["&outcome=ACCEPTED", sent.filter((row) => !isRejected(row))],
  ] as const) {
    assert.ok(expected.length > 2, `${filter} has more than one page`);
    const tokens = tokensOf({ items: [...expected] });
    for (const [sort, inOrder] of [
      ["receivedAt", tokens],
      ["-receivedAt", tokens.toReversed()],
    ] as const) {
      const read: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await anna.get(`/feed/list?sort=${sort}&limit=2${filter}${cursor}`);
        read.push(...tokensOf(body));
        if (body.nextCursor === null) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      assert.deepEqual(read, inOrder, `${sort}${filter}`);
    }
  }
  assert.equal((await anna.get("/feed/list?cursor=nonsense")).status, 400);
});

test("documents that need an operator are counted", async () => {
  const before = (await anna.get("/feed/counts?clientId=DEMO")).body;
  await demo.refuse("NO", order("DEMO", "C-1", ["NOT-HERE"]), unknown("NOT-HERE"));
  const after = (await anna.get("/feed/counts?clientId=DEMO&receivedFrom=2020-01-01T00:00:00Z")).body;
  assert.deepEqual(after, { ...before, rejected: before.rejected + 1 });
});

test("a document is answered with every fault at its place", async () => {
  const xml = pretty(
    order("DEMO", "F-1", [
      { sku: "A", qty: "abc" },
      { sku: "A", qty: "0" },
    ]),
  );
  const { token } = await demo.refuse("NO", xml, /^\[XSD\] Line/, /^\[XSD\] Line/);
  const { status, body } = await anna.get(`/feed/get/${token}`);
  assert.equal(status, 200);
  assert.deepEqual([body.state, body.objectId, body.actions], ["REJECTED", "F-1", ["reprocess"]]);
  const lines = xml.split("\n");
  for (const [i, quantity] of ["<qty>abc</qty>", "<qty>0</qty>"].entries()) {
    const fault = body.faults[i];
    assert.equal(lines[fault.line - 1], quantity);
    assert.deepEqual([fault.row, fault.column, fault.path], [fault.line, 1, `lines/line[${i + 1}]/qty`]);
    assert.match(fault.remedy, /xsd\/NO.xsd/);
  }
  const shown = await anna.get(`/feed/document/${token}?fromRow=${body.faults[0].row}&rowCount=1`);
  assert.deepEqual(shown.body.rows, [
    { row: body.faults[0].row, line: body.faults[0].line, column: 1, text: "<qty>abc</qty>" },
  ]);
  assert.equal(shown.body.lineTotal, lines.length - 1);
  const ack = await anna.get(`/feed/ack/${token}`);
  assert.match(ack.body.toString(), /<success>false<\/success>/);
  assert.equal((await anna.get(`/feed/bytes/${token}`)).body.toString(), xml);
});

test("a finding without a line is found by its object", async () => {
  const xml = pretty(
    order("DEMO", "F-2", ["A", "X1", "A", "X2"], {
      shipToAddress: { lastName: "K", address1: "4 Mill Lane", city: "Leeds", zip: "12", country: "GB" },
      distributionCentre: "DC9",
    }),
  );
  const { token } = await demo.send("NO", xml);
  const { body } = await anna.get(`/feed/get/${token}`);
  const lines = xml.split("\n");
  const marked = body.faults.map((fault: { code: string; line: number }) => [fault.code, lines[fault.line - 1]]);
  assert.deepEqual(marked.sort(), [
    ["FACILITY", "<distributionCentre>DC9</distributionCentre>"],
    ["POSTCODE", "<zip>12</zip>"],
    ["UNKNOWN_SKU", "<sku>X1</sku>"],
    ["UNKNOWN_SKU", "<sku>X2</sku>"],
  ]);
});

test("a document in one line is shown in rows, its faults at their column", async () => {
  const xml = order("DEMO", "F-3", [...Array.from({ length: 40 }, () => "A"), "MISSING"]);
  const { token } = await demo.refuse("NO", xml, unknown("MISSING"));
  const { body } = await anna.get(`/feed/get/${token}`);
  const [fault] = body.faults;
  assert.equal(fault.line, 2);
  assert.equal(
    xml
      .split("\n")[1]
      ?.slice(fault.column - 1)
      .startsWith("<sku>MISSING"),
    true,
  );
  const shown = await anna.get(`/feed/document/${token}?fromRow=${fault.row}&rowCount=1`);
  assert.match(shown.body.rows[0].text, /<sku>MISSING<\/sku>/);
  assert.ok(shown.body.rowTotal > 10);
  assert.equal(shown.body.lineTotal, 2);
  const whole = await anna.get(`/feed/document/${token}`);
  const rows = whole.body.rows as { line: number; text: string }[];
  assert.equal(
    rows
      .filter(({ line }) => line === 2)
      .map(({ text }) => text)
      .join(""),
    xml.split("\n")[1],
  );
});

test("a large document without an end of line is shown in rows, whatever its text is", async () => {
  for (const part of ["x ", "&gt;", "<sku>NEVER</sku>"]) {
    const text = `<itemMaster><clientId>DEMO</clientId>${part.repeat((1024 * 1024) / part.length)}`;
    const bad = await demo.refuse("CAT", text, /^\[XML\] Line 1/);
    const [record, window] = await Promise.all([
      vera.get(`/feed/get/${bad.token}`),
      anna.get(`/feed/document/${bad.token}?fromRow=7000&rowCount=2`),
    ]);
    assert.equal(record.status, 200, JSON.stringify(record.body));
    assert.equal(record.body.faults[0].line, 1);
    assert.ok(record.body.faults[0].row > 7_000, String(record.body.faults[0].row));
    assert.equal(window.body.lineTotal, 1);
    assert.equal(window.body.rows.length, 2);
    assert.ok(window.body.rows[0].text.includes(part), window.body.rows[0].text);
    const checked = await anna.post("/feed/validate", { type: "CAT", document: text });
    assert.equal(checked.status, 200, JSON.stringify(checked.body).slice(0, 500));
    assert.deepEqual(checked.body.faults[0].row, record.body.faults[0].row);
  }
});

test("only operators see the content of a document; viewers see its other data", async () => {
  const { token } = await demo.refuse("NO", order("DEMO", "F-4", ["GONE"]), unknown("GONE"));
  assert.equal((await vera.get(`/feed/document/${token}`)).status, 403);
  assert.equal((await vera.get(`/feed/bytes/${token}`)).status, 403);
  assert.equal((await vera.get(`/feed/get/${token}`)).status, 200);
  assert.equal((await vera.get(`/feed/timeline/${token}`)).status, 200);
  const ofPlace = await signIn(server, "operator", { facilityCodes: ["DC1"] });
  assert.equal((await ofPlace.get(`/feed/get/${token}`)).status, 403);
  assert.equal((await ofPlace.get(`/feed/document/${token}`)).status, 403);
  assert.equal((await ofPlace.get(`/feed/bytes/${token}`)).status, 403);
  const noSuch = "019a4c2e-8f00-7abc-8def-000000000001";
  for (const what of ["get", "document", "bytes", "ack", "timeline"]) {
    assert.equal((await anna.get(`/feed/${what}/${noSuch}`)).status, 404);
    assert.equal((await anna.get(`/feed/${what}/nonsense`)).status, 404);
  }
});

test("a rejected document is reprocessed and takes effect once, for any number of requests", async () => {
  const xml = order("DEMO", "J-1", ["J1"]);
  const { token } = await demo.refuse("NO", xml, unknown("J1"));
  const still = await anna.post(`/feed/reprocess/${token}?clientId=DEMO`);
  assert.deepEqual([still.status, still.body.outcome, still.body.document.state], [200, "REJECTED", "REJECTED"]);
  await demo.accept("CAT", catalogue("DEMO", ["J1"]));
  assert.equal((await demo.status(token)).state, "REJECTED", "no catalogue heals what is not parked");
  const answers = await Promise.all([1, 2, 3].map(() => anna.post(`/feed/reprocess/${token}?clientId=DEMO`)));
  for (const { status, body } of answers) assert.deepEqual([status, body.outcome], [200, "ACCEPTED"]);
  const later = await anna.post(`/feed/reprocess/${token}?clientId=DEMO`);
  assert.deepEqual([later.body.outcome, later.body.isRepeat], ["ACCEPTED", true]);
  await demo.becomes(token, "PROCESSED");
  assert.equal((await demo.order("J-1"))?.orderId, "J-1");
  const [counted] = await server.rows<{ accepted: number; received: number }>(
    `select count(*) filter (where topic = 'feed:accepted' and object_id = $1)::integer as accepted,
      count(*) filter (where topic = 'order:received' and object_id = 'J-1')::integer as received
    from event where client_id = 'DEMO'`,
    token,
  );
  assert.deepEqual(counted, { accepted: 1, received: 1 });
  // The sender's permitted resend returns the current ACK of the document.
  const resent = await demo.accept("NO", xml);
  assert.equal(resent.token, token);
  const audits = await server.rows<{ actor: string; action: string }>(
    "select actor, action from audit_log where object_id = $1 order by audit_id",
    token,
  );
  assert.deepEqual(audits, Array(2).fill({ actor: `user:${anna.userName}`, action: "reprocess" }));
  const { body } = await anna.get(`/feed/timeline/${token}`);
  const brand = await signIn(server, "developer", { clientIds: ["DEMO"] });
  const seen = (await brand.get(`/feed/timeline/${token}`)).body.events as { actor: string | null }[];
  assert.equal(seen.length, body.events.length);
  assert.ok(body.events.some(({ actor }: { actor: string | null }) => actor !== null));
  assert.ok(seen.every(({ actor }) => actor === null));
  const kinds = body.events.map(({ kind }: { kind: string }) => kind);
  assert.equal(kinds[0], "received");
  for (const kind of ["validated", "accepted", "operator", "published", "event", "outbound"]) {
    assert.ok(kinds.includes(kind), `${kind} in ${kinds.join()}`);
  }
});

test("a reprocessed document does not undo a later one for its object", async () => {
  await demo.accept("NO", order("DEMO", "J-2", ["A"]));
  const early = await demo.refuse("NO", order("DEMO", "J-2", ["J2"], { actionType: "UPDATE" }), unknown("J2"));
  const late = await demo.accept("NO", order("DEMO", "J-2", [{ sku: "A", qty: 3 }], { actionType: "UPDATE" }));
  await demo.accept("CAT", catalogue("DEMO", ["J2"]));
  const { body } = await anna.post(`/feed/reprocess/${early.token}?clientId=DEMO`);
  assert.equal(body.outcome, "REJECTED");
  assert.equal(body.document.faults[0].code, "STALE");
  assert.match(body.document.faults[0].text, new RegExp(late.token));
});

test("documents that are accepted, deleted or another client's are not reprocessed", async () => {
  const { token } = await demo.accept("NO", order("DEMO", "J-3", ["A"]));
  const accepted = await anna.post(`/feed/reprocess/${token}?clientId=DEMO`);
  assert.equal(accepted.status, 409);
  assert.match(accepted.body.detail, /accepted on receipt/);
  assert.equal((await anna.post(`/feed/reprocess/${token}?clientId=OTHER`)).status, 404);
  assert.equal((await anna.post("/feed/reprocess/nonsense?clientId=DEMO")).status, 404);
  const card = order("DEMO", "J-4", ["A"], { payments: { payment: { tender: "4111 1111 1111 1111" } } });
  const withheld = await demo.send("NO", card);
  assert.equal(withheld.isAccepted, false, withheld.body);
  const refusedOne = await anna.post(`/feed/reprocess/${withheld.token}?clientId=DEMO`);
  assert.equal(refusedOne.status, 409);
  assert.match(refusedOne.body.detail, /not stored/);
  assert.equal((await anna.get(`/feed/document/${withheld.token}`)).status, 404);
  assert.equal((await anna.get(`/feed/bytes/${withheld.token}`)).status, 404);
  assert.deepEqual((await anna.get(`/feed/get/${withheld.token}`)).body.actions, []);
});

test("many documents are reprocessed in one request, each separately, in order of receipt", async () => {
  const first = await demo.refuse("NO", order("DEMO", "M-1", ["M1"]), unknown("M1"));
  const second = await demo.refuse(
    "NO",
    order("DEMO", "M-1", ["M1", "A"], { actionType: "UPDATE" }),
    /^\[(NOT_FOUND|UNKNOWN_SKU)\]/,
    /./,
  );
  const bad = await demo.refuse("NO", order("DEMO", "M-2", ["M2"]), unknown("M2"));
  await demo.accept("CAT", catalogue("DEMO", ["M1"]));
  const tokens = [bad.token, second.token, first.token, "019a4c2e-8f00-7abc-8def-000000000001", "x"];
  const { status, body } = await anna.post("/feed/reprocess?clientId=DEMO", { tokens });
  assert.equal(status, 200, JSON.stringify(body));
  const outcomes = new Map(body.items.map((item: { token: string; outcome: string }) => [item.token, item.outcome]));
  assert.deepEqual(
    tokens.map((token) => outcomes.get(token)),
    ["REJECTED", "ACCEPTED", "ACCEPTED", "REFUSED", "REFUSED"],
  );
  const { lines } = (await demo.order("M-1")) as { lines: unknown[] };
  assert.equal(lines.length, 2);
});

test("a document that lacks only SKUs is parked by an operator, and reprocessed after the catalogue", async () => {
  const { token } = await demo.refuse("RMA", authorisation("DEMO", "P-1", ["P1"]), unknown("P1"));
  const before = await anna.get(`/feed/get/${token}`);
  assert.deepEqual(before.body.actions, ["reprocess", "park"]);
  for (const _ of ["once", "again"]) {
    const parked = await anna.post(`/feed/park/${token}?clientId=DEMO`);
    assert.deepEqual([parked.status, parked.body.state], [200, "PARKED"]);
  }
  const judged = await anna.post(`/feed/reprocess/${token}?clientId=DEMO`);
  assert.equal(judged.body.outcome, "PARKED");
  await demo.accept("CAT", catalogue("DEMO", ["P1"]));
  await demo.becomes(token, "PROCESSED");
  const other = await demo.refuse("NO", order("DEMO", "P-2", ["A"], { distributionCentre: "DC9" }), /FACILITY/);
  const known = await demo.refuse("NO", order("DEMO", "P-3", ["P3"]), unknown("P3"));
  await demo.accept("CAT", catalogue("DEMO", ["P3"]));
  for (const [refusedToken, why] of [
    [other.token, /other reasons/],
    [known.token, /reprocess it instead/],
    [token, /PROCESSED/],
  ] as const) {
    const answer = await anna.post(`/feed/park/${refusedToken}?clientId=DEMO`);
    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, why);
  }
  assert.equal((await anna.post(`/feed/park/${token}?clientId=OTHER`)).status, 404);
});

test("the processing of a failed document is retried", async () => {
  const { token } = await demo.accept("NO", order("DEMO", "R-1", ["A"]));
  await demo.becomes(token, "PROCESSED");
  assert.equal((await anna.post(`/feed/retry/${token}?clientId=DEMO`)).body.state, "PROCESSED");
  // The state that the relay sets when it gives up.
  await server.rows("update feed_document set state = 'FAILED' where token = $1", token);
  const nothing = await anna.post(`/feed/retry/${token}?clientId=DEMO`);
  assert.equal(nothing.status, 409);
  await server.rows(
    `insert into outbox (client_id, outbox_id, state, topic, object_type, object_id, feed_token, occurred_at, data, attempts, last_error)
      values ('DEMO', $1, 'FAILED', 'feed:accepted', 'feed', $2::text, $2::text::uuid, now(),
        json_build_object('token', $2::text, 'feedType', 'NO', 'objectId', 'R-1', 'errors', json_build_array()), 3, 'made to fail')`,
    `${token.slice(0, 24)}${randomUUID().slice(24)}`,
    token,
  );
  assert.deepEqual((await anna.get(`/feed/get/${token}`)).body.actions, ["retry"]);
  const answer = await anna.post(`/feed/retry/${token}?clientId=DEMO`);
  assert.deepEqual([answer.status, answer.body.state], [200, "ACCEPTED"]);
  await demo.becomes(token, "PROCESSED");
  const rejected = await demo.refuse("NO", order("DEMO", "R-2", ["R2"]), unknown("R2"));
  assert.equal((await anna.post(`/feed/retry/${rejected.token}?clientId=DEMO`)).status, 409);
  assert.equal((await anna.post("/feed/retry/nonsense?clientId=DEMO")).status, 404);
});

test("the validator checks a pasted document, shows each fault next to its line, and stores nothing", async () => {
  const before = tokensOf((await anna.get("/feed/list?limit=500")).body).length;
  const document = pretty(order("DEMO", "V-1", ["A", "V2"]));
  const { status, body } = await anna.post("/feed/validate", { type: "NO", document });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.clientId, body.isAccepted, body.objectId, body.missingSkus], ["DEMO", false, "V-1", ["V2"]]);
  assert.equal(document.split("\n")[body.faults[0].line - 1], "<sku>V2</sku>");
  assert.match(body.ack, /<sku>V2<\/sku>/);
  const good = await anna.post("/feed/validate", {
    clientId: "DEMO",
    type: "NO",
    document: order("DEMO", "V-1", ["A"]),
  });
  assert.deepEqual([good.body.isAccepted, good.body.faults], [true, []]);
  const latin = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<itemMaster><clientId>DEMO</clientId>\n<date>';
  const broken = await anna.post("/feed/validate", { clientId: "DEMO", type: "CAT", document: latin });
  assert.equal(broken.body.faults[0].code, "XML");
  assert.equal(broken.body.faults[0].line, 3);
  const nobody = await anna.post("/feed/validate", { type: "CAT", document: documentOf("itemMaster", {}) });
  assert.equal(nobody.body.clientId, null);
  assert.equal((await anna.post("/feed/validate", { clientId: "NOBODY", type: "CAT", document: "" })).status, 422);
  const strange = await anna.post("/feed/validate", { type: "NO", document: order("STRANGER", "V-1", ["A"]) });
  assert.equal(strange.status, 422);
  const large = "ä".repeat(11 * 1024 * 1024);
  assert.equal((await anna.post("/feed/validate", { type: "CAT", document: large })).status, 413);
  const quotes = (mebibytes: number) => ({ type: "CAT", document: '"'.repeat(mebibytes * 1024 * 1024) });
  // The server of the tests fails where a step of the main thread takes over 200 ms.
  assert.equal((await anna.post("/feed/validate", quotes(10.4))).body.isAccepted, false);
  assert.equal((await anna.post("/feed/validate", quotes(10.6))).status, 413);
  const values = Array.from({ length: 200_000 }, () => ({}));
  assert.match(
    (await anna.post("/feed/validate", { type: "CAT", document: values })).body.detail,
    /over 200000 values/,
  );
  assert.equal((await vera.post("/feed/validate", { type: "NO", document })).status, 403);
  assert.equal(tokensOf((await anna.get("/feed/list?limit=500")).body).length, before);
});

test("an operator sends a document for a client, as the client would", async () => {
  const document = order("DEMO", "S-1", ["A"]);
  const headers = { "idempotency-key": "console-1" };
  const first = await anna.post("/feed/send?clientId=DEMO", { type: "NO", document }, headers);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual([first.body.isAccepted, first.body.objectId, first.body.isReplayed], [true, "S-1", false]);
  const again = await anna.post("/feed/send?clientId=DEMO", { type: "NO", document }, headers);
  assert.deepEqual([again.body.token, again.body.isReplayed], [first.body.token, true]);
  const clash = await anna.post("/feed/send?clientId=DEMO", { type: "NO", document: "<x/>" }, headers);
  assert.equal(clash.status, 409);
  const record = await until("the record", async () => {
    const { body } = await anna.get(`/feed/get/${first.body.token}`);
    return body.state === "PROCESSED" ? body : undefined;
  });
  assert.equal(record.channel, "CONSOLE");
  const { body } = await anna.get(`/feed/timeline/${first.body.token}`);
  assert.ok(body.events.some(({ actor }: { actor: string | null }) => actor === `user:${anna.userName}`));
  const refusedOne = await anna.post("/feed/send?clientId=DEMO", {
    type: "NO",
    document: order("DEMO", "S-2", ["S2"]),
  });
  assert.deepEqual([refusedOne.body.isAccepted, refusedOne.body.missingSkus], [false, ["S2"]]);
  const large = "ä".repeat(11 * 1024 * 1024);
  assert.equal((await anna.post("/feed/send?clientId=DEMO", { type: "CAT", document: large })).status, 413);
});
