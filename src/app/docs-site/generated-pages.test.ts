import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { eventCodes } from "#/kernel/event-codes.ts";
import { reasonCodes, transferReason, workOrderReasons } from "#/modules/inventory/index.ts";
import { orderStates } from "#/modules/orders/index.ts";
import { parcelStatuses } from "#/modules/parcels/index.ts";
import { eventsPage } from "../../../tests/support/pages/events.ts";
import { lifecycles } from "../../../tests/support/pages/lifecycles.ts";
import { orderSteps, stateDiagrams, statesPage } from "../../../tests/support/pages/states.ts";
import {
  adjustmentReasonsPage,
  attributesPage,
  eventCodesPage,
  operationsPage,
  problemsPage,
} from "../../../tests/support/pages/tables.ts";

/** The services of clients and of warehouses; operators have the console. */
const services = ["order", "inventory", "item-master", "work-order", "facility", "carrier-determination", "webhook"];

const documents = [...services, "warehouse"].map((name) =>
  JSON.parse(readFileSync(new URL(`../../../schemas/openapi/${name}.json`, import.meta.url), "utf8")),
);

const pages = {
  events: eventsPage(),
  problems: problemsPage(),
  "rest-operations": operationsPage(documents),
  "extended-attributes": attributesPage(),
  states: statesPage(),
  "event-codes": eventCodesPage(),
  "adjustment-reasons": adjustmentReasonsPage(),
};

for (const [name, text] of Object.entries(pages)) {
  test(`docs/${name}.md equals the code; CROSSDOCK_TEST_UPDATE=1 writes it`, () => {
    const file = new URL(`../../../docs/${name}.md`, import.meta.url);
    if (process.env.CROSSDOCK_TEST_UPDATE === "1") writeFileSync(file, text);
    assert.equal(readFileSync(file, "utf8"), text);
  });
}

test("docs/images/states has the diagram of each object; CROSSDOCK_TEST_UPDATE=1 writes it", () => {
  const folder = new URL("../../../docs/images/states/", import.meta.url);
  if (process.env.CROSSDOCK_TEST_UPDATE === "1") {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, text] of stateDiagrams) writeFileSync(new URL(name, folder), text);
  }
  assert.deepEqual(readdirSync(folder).toSorted(), [...stateDiagrams.keys()].toSorted());
  for (const [name, text] of stateDiagrams) {
    assert.equal(readFileSync(new URL(name, folder), "utf8"), text);
    assert.ok(pages.states.includes(`(images/states/${name})`), name);
  }
});

test("the diagram of orders follows the rules of their states", () => {
  const after = (state: Parameters<typeof orderSteps>[0]) => orderSteps(state).map((step) => step.state);
  assert.deepEqual(after("RECEIVED"), ["ON_HOLD", "BACKORDERED", "PARTIALLY_ALLOCATED", "ALLOCATED", "CANCELLED"]);
  assert.deepEqual(orderSteps("DESPATCHED"), [
    { state: "DELIVERED", causes: ["delivery"] },
    { state: "RETURNED_TO_SENDER", causes: ["return to the sender"] },
  ]);
  assert.deepEqual(orderSteps("CANCELLED"), []);
});

test("every state, code and reason has its row", () => {
  const rowOf = (page: string, value: string | number) => page.includes(`| ${value} |`);
  for (const state of [...orderStates, ...parcelStatuses]) assert.ok(rowOf(pages.states, `\`${state}\``), state);
  for (const code of Object.keys(eventCodes)) assert.ok(rowOf(pages["event-codes"], code), code);
  for (const reason of [...reasonCodes, ...workOrderReasons, transferReason]) {
    assert.ok(rowOf(pages["adjustment-reasons"], `\`${reason}\``), reason);
  }
});

test("the steps of parcels and work orders are those of the functions that decide them", () => {
  const nextOf = (title: string, state: string) =>
    lifecycles.find((lifecycle) => lifecycle.title === title)?.states.find((entry) => entry.state === state)?.next;
  assert.deepEqual(nextOf("Parcel (OLPN)", "PACKED"), ["LOADED", "DESPATCHED", "VOIDED"]);
  assert.deepEqual(nextOf("Parcel (OLPN)", "DELIVERED"), ["RETURNING", "RETURNED_TO_SENDER"]);
  assert.deepEqual(nextOf("Parcel (OLPN)", "RETURNED_TO_SENDER"), []);
  assert.deepEqual(nextOf("Work order", "RELEASED"), [
    "WAITING_COMPONENTS",
    "IN_PROGRESS",
    "COMPLETED",
    "CLOSED_SHORT",
    "CANCELLED",
  ]);
  assert.deepEqual(nextOf("Work order", "COMPLETED"), []);
});
