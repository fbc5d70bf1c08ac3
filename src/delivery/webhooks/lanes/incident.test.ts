import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type IncidentEvent,
  type IncidentState,
  type MailKind,
  nextTickAtMs,
  stepIncident,
} from "#/delivery/webhooks/lanes/incident.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";

const failure = (opens = false): IncidentEvent => ({ kind: "FAILURE", opens });
const success: IncidentEvent = { kind: "SUCCESS" };
const tick = (disablesAtMs?: number): IncidentEvent => ({ kind: "TICK", disablesAtMs });

function walk(steps: readonly (readonly [atMs: number, event: IncidentEvent])[]) {
  let state: IncidentState | undefined;
  let incidents = 0;
  const mails: [number, MailKind][] = [];
  for (const [atMs, event] of steps) {
    const step = stepIncident(state, event, atMs);
    state = step.state;
    incidents += step.isNew ? 1 : 0;
    mails.push(...step.mails.map((kind) => [atMs, kind] as [number, MailKind]));
  }
  return { state, mails, incidents };
}

test("a failure alone is not an incident; one that opens it is reported at once, and only once", () => {
  assert.deepEqual(
    walk([
      [0, failure()],
      [1, failure()],
    ]).mails,
    [],
  );
  assert.deepEqual(
    walk([
      [0, failure()],
      [5, failure(true)],
      [6, failure(true)],
    ]).mails,
    [[5, "OPENED"]],
  );
});

test("an incident closes ten minutes after a success without a later failure", () => {
  const steps = [
    [0, failure(true)],
    [minuteMs, success],
    [2 * minuteMs, success],
    [10 * minuteMs, tick()],
    [11 * minuteMs, tick()],
  ] as const;
  assert.deepEqual(walk(steps).mails, [
    [0, "OPENED"],
    [11 * minuteMs, "RECOVERED"],
  ]);
  const again = [
    [0, failure(true)],
    [minuteMs, success],
    [5 * minuteMs, failure()],
    [30 * minuteMs, tick()],
  ] as const;
  assert.deepEqual(walk(again).mails, [[0, "OPENED"]]);
});

test("a failure within an hour of recovery is the same incident, later it is another", () => {
  const over = [
    [0, failure(true)],
    [minuteMs, success],
    [11 * minuteMs, tick()],
  ] as const;
  const same = walk([...over, [71 * minuteMs, failure()], [72 * minuteMs, success], [90 * minuteMs, tick()]]);
  assert.deepEqual(same.mails, [
    [0, "OPENED"],
    [11 * minuteMs, "RECOVERED"],
  ]);
  assert.equal(same.incidents, 1);
  const other = walk([...over, [72 * minuteMs, failure()], [73 * minuteMs, failure(true)]]);
  assert.deepEqual(other.mails.at(-1), [73 * minuteMs, "OPENED"]);
  assert.equal(other.incidents, 2);
});

test("a lasting failure is reported after a day, after three, half a day before the webhook is disabled, and then", () => {
  const disablesAtMs = 192 * hourMs;
  const ticks = Array.from({ length: 200 }, (_, i) => [i * hourMs, tick(disablesAtMs)] as const);
  const { mails } = walk([[0, failure(true)], ...ticks, [200 * hourMs, { kind: "DISABLED" }], [300 * hourMs, tick()]]);
  assert.deepEqual(mails, [
    [0, "OPENED"],
    [24 * hourMs, "STILL_24H"],
    [72 * hourMs, "STILL_72H"],
    [180 * hourMs, "DISABLES_SOON"],
    [200 * hourMs, "DISABLED"],
  ]);
});

const events = fc.oneof(
  { weight: 4, arbitrary: fc.boolean().map(failure) },
  { weight: 3, arbitrary: fc.constant(success) },
  { weight: 4, arbitrary: fc.option(fc.nat(400 * hourMs), { nil: undefined }).map(tick) },
  { weight: 1, arbitrary: fc.constant<IncidentEvent>({ kind: "DISABLED" }) },
);

test("in any order of events an incident has at most six mails, each kind once, and the opening mail first", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 12 * hourMs }), events), { maxLength: 300 }), (steps) => {
      let state: IncidentState | undefined;
      let nowMs = 0;
      let notified: MailKind[] = [];
      for (const [stepMs, event] of steps) {
        nowMs += stepMs;
        const step = stepIncident(state, event, nowMs);
        if (step.isNew) notified = [];
        for (const kind of step.mails) {
          assert.ok(!notified.includes(kind), kind);
          notified.push(kind);
        }
        assert.ok(notified.length <= 6);
        if (step.isNew) assert.ok(["OPENED", "DISABLED"].includes(notified[0] as string));
        state = step.state;
      }
    }),
    { numRuns: 5_000 },
  );
});

test("an open incident has a due time until everything is reported", () => {
  const disablesAtMs = 192 * hourMs;
  assert.equal(nextTickAtMs(undefined, disablesAtMs), undefined);
  let { state } = stepIncident(undefined, failure(true), 0);
  for (const atMs of [24 * hourMs, 72 * hourMs, 180 * hourMs]) {
    assert.equal(nextTickAtMs(state, disablesAtMs), atMs);
    assert.deepEqual(stepIncident(state, tick(disablesAtMs), atMs - 1).mails, []);
    ({ state } = stepIncident(state, tick(disablesAtMs), atMs));
  }
  assert.equal(nextTickAtMs(state, disablesAtMs), undefined);
  const quiet = stepIncident(state, success, 181 * hourMs).state;
  assert.equal(nextTickAtMs(quiet, undefined), 181 * hourMs + 10 * minuteMs);
  assert.equal(nextTickAtMs(stepIncident(quiet, tick(), 182 * hourMs).state, undefined), undefined);
  assert.equal(nextTickAtMs(stepIncident(state, { kind: "DISABLED" }, 192 * hourMs).state, undefined), undefined);
});

test("checks at due times report the same mails at the same times as constant checks", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(120), fc.boolean()), { maxLength: 12 }), fc.nat(200), (steps, disablesIn) => {
      const disablesAtMs = disablesIn * hourMs;
      const events = new Map<number, IncidentEvent>([[0, failure(true)]]);
      let atHour = 0;
      for (const [hours, isSuccess] of steps) {
        atHour += hours;
        events.set(atHour, isSuccess ? success : failure(true));
      }
      const tell = (isTickDue: (state: IncidentState | undefined, nowMs: number) => boolean) => {
        const mails: string[] = [];
        let state: IncidentState | undefined;
        for (let nowMs = 0; nowMs < (atHour + 250) * hourMs; nowMs += 10 * minuteMs) {
          const take = (event: IncidentEvent) => {
            const step = stepIncident(state, event, nowMs);
            state = step.state;
            mails.push(...step.mails.map((kind) => `${nowMs} ${kind}`));
          };
          const event = events.get(nowMs / hourMs);
          if (event) take(event);
          if (isTickDue(state, nowMs)) take(tick(disablesAtMs));
        }
        return mails;
      };
      const always = tell(() => true);
      const whenDue = tell((state, nowMs) => (nextTickAtMs(state, disablesAtMs) ?? Number.POSITIVE_INFINITY) <= nowMs);
      assert.deepEqual(whenDue, always);
    }),
    { numRuns: 100 },
  );
});
