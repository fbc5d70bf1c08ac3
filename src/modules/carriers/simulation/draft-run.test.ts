import assert from "node:assert/strict";
import { test } from "node:test";
import { type PastShipment, runDraft } from "#/modules/carriers/simulation/draft-run.ts";

test("a turn ends after 50 ms, and has one decision at least", (t) => {
  const shipment: PastShipment = {
    past: {
      decisionId: "01",
      decidedAt: "2026-11-20T23:30:00.000Z",
      chosen: null,
      request: { distributionCentre: "DC1", shipTo: { country: "GB" }, parcels: [{ weight: 1 }] },
    },
    facility: undefined,
  };
  const shipments = Array.from({ length: 500 }, () => shipment);
  const run = runDraft({ services: [], rateCards: [] });
  let nowMs = 0;
  let decisionMs = 20;
  t.mock.method(performance, "now", () => {
    nowMs += decisionMs;
    return nowMs;
  });
  assert.equal(run.add(shipments), 3);
  decisionMs = 60;
  assert.equal(run.add(shipments), 1);
});
