// Compares the mails of an incident with a model that is written from the contract alone (webhooks.md §2, Alert mail).
// The model keeps everything that has happened, and computes the mails expected at each moment.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type IncidentEvent,
  type IncidentState,
  type MailKind,
  nextTickAtMs,
  stepIncident,
} from "#/delivery/webhooks/lanes/incident.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { type Walker, walkAll } from "../../../../tests/support/app/walks.ts";

interface Model {
  openedMs: number;
  lastFailureMs: number;
  /** The first success since the last failure. */
  successMs: number | undefined;
  recoveredMs: number | undefined;
  isDisabled: boolean;
  notified: MailKind[];
}

const isOngoing = (model: Model | undefined): model is Model => model !== undefined && model.recoveredMs === undefined;

/** The mails expected at this moment, and the next state of the model. */
function expected(
  model: Model | undefined,
  event: IncidentEvent,
  nowMs: number,
): { model: Model | undefined; notified: MailKind[] } {
  const opened = (): Model => ({
    openedMs: nowMs,
    lastFailureMs: nowMs,
    successMs: undefined,
    recoveredMs: undefined,
    isDisabled: false,
    notified: [],
  });
  const tell = (model: Model, ...kinds: MailKind[]) => {
    const notified = kinds.filter((kind) => !model.notified.includes(kind));
    model.notified.push(...notified);
    return { model, notified };
  };
  switch (event.kind) {
    case "SUCCESS":
      if (isOngoing(model) && !model.isDisabled) model.successMs ??= nowMs;
      return { model, notified: [] };
    case "FAILURE": {
      const isSame = model?.recoveredMs !== undefined && nowMs - model.recoveredMs <= hourMs;
      if (model && (isOngoing(model) || isSame)) {
        Object.assign(model, { lastFailureMs: nowMs, successMs: undefined, recoveredMs: undefined });
        return { model, notified: [] };
      }
      return event.opens ? tell(opened(), "OPENED") : { model, notified: [] };
    }
    case "DISABLED": {
      const incident = isOngoing(model) ? model : opened();
      Object.assign(incident, { isDisabled: true, successMs: undefined });
      return tell(incident, "DISABLED");
    }
    case "TICK": {
      if (!isOngoing(model) || model.isDisabled) return { model, notified: [] };
      if (model.successMs !== undefined) {
        if (nowMs - model.successMs < 10 * minuteMs) return { model, notified: [] };
        model.recoveredMs = nowMs;
        return tell(model, "RECOVERED");
      }
      const ageMs = nowMs - model.openedMs;
      const still: MailKind[] = ageMs >= 72 * hourMs ? ["STILL_72H"] : ageMs >= 24 * hourMs ? ["STILL_24H"] : [];
      const isSoon = event.disablesAtMs !== undefined && nowMs >= event.disablesAtMs - 12 * hourMs;
      return tell(model, ...still, ...(isSoon ? (["DISABLES_SOON"] as const) : []));
    }
  }
}

function eventOf(walker: Walker, disablesAtMs: number | undefined): IncidentEvent {
  const draw = walker.random();
  if (draw < 0.35) return { kind: "FAILURE", opens: walker.chance(0.5) };
  if (draw < 0.5) return { kind: "SUCCESS" };
  return draw < 0.505 ? { kind: "DISABLED" } : { kind: "TICK", disablesAtMs };
}

test("in millions of steps each mail is sent when the contract says so, none twice, and six at most", () => {
  const seen = new Map<MailKind, number>();
  let most = 0;
  walkAll((walker) => {
    let state: IncidentState | undefined;
    let model: Model | undefined;
    let nowMs = 0;
    const paceMs = walker.oneOf([5 * minuteMs, hourMs, 12 * hourMs]);
    const disablesAtMs = walker.chance(0.5) ? walker.integer(0, 400) * hourMs : undefined;
    const steps = walker.integer(1, 400);
    for (let i = 0; i < steps; i++) {
      nowMs += walker.integer(1, paceMs);
      const event = eventOf(walker, disablesAtMs);
      const step = stepIncident(state, event, nowMs);
      const before = model;
      const want = expected(model, event, nowMs);
      model = want.model;
      assert.deepEqual(step.mails, want.notified, `${event.kind} at ${nowMs}`);
      assert.equal(step.isNew, model !== before && model !== undefined);
      state = step.state;
      assert.deepEqual(state?.mails, model?.notified);
      assert.equal(state?.openedAtMs, model?.openedMs);
      assert.equal(state?.closedAtMs, model?.recoveredMs);
      most = Math.max(most, state?.mails.length ?? 0);
      assert.ok(most <= 6);
      for (const kind of step.mails) seen.set(kind, (seen.get(kind) ?? 0) + 1);
      assertNextTick(state, disablesAtMs, nowMs);
    }
    return steps;
  });
  assert.equal(seen.size, 6, JSON.stringify([...seen]));
  assert.ok(most >= 5);
});

/** A tick before its due time has no effect, and one at its due time has one. */
function assertNextTick(state: IncidentState | undefined, disablesAtMs: number | undefined, nowMs: number): void {
  const nextMs = nextTickAtMs(state, disablesAtMs);
  const after = (atMs: number) => stepIncident(state, { kind: "TICK", disablesAtMs }, atMs).state;
  if (nextMs === undefined) {
    assert.deepEqual(after(nowMs + 1_000 * hourMs), state);
    return;
  }
  assert.notDeepEqual(after(Math.max(nowMs, nextMs)), state);
  if (nextMs > nowMs) assert.deepEqual(after(nextMs - 1), state);
}
