// carriers.md: cut-offs, pick-up days, transit days, validity.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";
import {
  type Case,
  card,
  dc1,
  decided,
  oneService,
  service,
  whyNot,
} from "../../../../tests/support/carriers/carrier-cases.ts";

test("cut-off, pick-up days, the facility's days and holidays give the day of despatch, in the facility's zone", () => {
  const despatch = (more: object, rest: Omit<Case, "data"> = {}, set: object = {}) =>
    decided({ data: { ...oneService(more), ...set }, ...rest }).chosen?.despatchDate;
  const cutOff = { cutOff: { DC1: "17:00" } };
  assert.equal(despatch(cutOff, { at: "2026-11-20T17:00:00Z" }), "2026-11-20", "what comes at it is in time");
  assert.equal(despatch(cutOff, { at: "2026-11-20T17:00:00.001Z" }), "2026-11-23");
  assert.equal(despatch({}, { at: "2026-11-20T23:59:00Z" }), "2026-11-20", "without one the day lasts until midnight");
  assert.equal(despatch({}, { at: "2026-11-20T18:00:00Z", facility: { ...dc1, cutOffTime: "17:30" } }), "2026-11-23");
  const newYork = { ...dc1, timezone: "America/New_York" };
  assert.equal(despatch(cutOff, { at: "2026-11-20T21:59:00Z", facility: newYork }), "2026-11-20");
  assert.equal(despatch({ pickUpDays: { DC1: ["TUE"] } }), "2026-11-24");
  assert.equal(despatch({ pickUpDays: { DC1: ["SUN", "FRI"] } }), "2026-11-20", "on days when the facility works");
  assert.equal(despatch({}, { facility: { ...dc1, holidays: [{ date: "2026-11-18" }] } }), "2026-11-19");
  assert.equal(despatch({}, {}, { holidays: { GB: ["2026-11-18", "2026-11-19"] } }), "2026-11-20");
  assert.equal(despatch({}, { request: { shipDate: "2026-11-21" } }), "2026-11-23");
  assert.equal(despatch({}, { request: { shipDate: "2026-11-01" } }), "2026-11-18", "nothing leaves in the past");
  assert.deepEqual(whyNot(decided({ data: oneService({ pickUpDays: { DC1: [] } }) })), [
    "INACTIVE it does not collect at DC1 within the next year",
    "NO_RATE no rate card is in force",
  ]);
});

test("transit days are days of delivery: Monday to Saturday, or the service's own, without the country's holidays", () => {
  const delivery = (more: object, set: object = {}, request: Partial<DeterminationRequest> = {}) =>
    decided({ data: { ...oneService(more), ...set }, request, at: "2026-11-20T12:00:00Z" }).chosen?.estimatedDelivery;
  assert.equal(delivery({}), "2026-11-23", "Friday and two days: Saturday, Monday");
  assert.equal(delivery({ deliveryDays: ["MON", "TUE", "WED", "THU", "FRI"] }), "2026-11-24");
  assert.equal(delivery({}, { holidays: { GB: ["2026-11-21", "2026-11-23"] } }), "2026-11-25");
  assert.equal(delivery({ transitDays: { HOME: 0 } }), "2026-11-20");
  assert.equal(delivery({ transitDays: {} }), null, "not known");
  assert.equal(
    delivery({ transitDays: {} }, {}, { deliverBy: "2027-01-01" }),
    undefined,
    "then nothing can be promised",
  );
});

test("rate cards hold by the day of despatch; of several, the one that began last", () => {
  const rateCards = [
    card("A", 1),
    card("A", 2, { validFrom: "2026-11-19" }),
    card("A", 3, { validFrom: "2026-11-20", validTo: "2026-11-20" }),
  ];
  const price = (shipDate: string) =>
    decided({ data: { services: [service("A")], rateCards }, request: { shipDate } }).chosen?.price?.total.amount;
  assert.deepEqual(["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-23"].map(price), [1, 2, 3, 2]);
});
