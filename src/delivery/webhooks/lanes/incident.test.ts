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

const minute = 60_000;
const hour = 60 * minute;
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

test("a failure alone is no incident; one that opens it is reported at once, and only once", () => {
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
    [minute, success],
    [2 * minute, success],
    [10 * minute, tick()],
    [11 * minute, tick()],
  ] as const;
  assert.deepEqual(walk(steps).mails, [
    [0, "OPENED"],
    [11 * minute, "RECOVERED"],
  ]);
  const again = [
    [0, failure(true)],
    [minute, success],
    [5 * minute, failure()],
    [30 * minute, tick()],
  ] as const;
  assert.deepEqual(walk(again).mails, [[0, "OPENED"]]);
});

test("a failure within an hour of recovery is the same incident, later it is another", () => {
  const over = [
    [0, failure(true)],
    [minute, success],
    [11 * minute, tick()],
  ] as const;
  const same = walk([...over, [71 * minute, failure()], [72 * minute, success], [90 * minute, tick()]]);
  assert.deepEqual(same.mails, [
    [0, "OPENED"],
    [11 * minute, "RECOVERED"],
  ]);
  assert.equal(same.incidents, 1);
  const other = walk([...over, [72 * minute, failure()], [73 * minute, failure(true)]]);
  assert.deepEqual(other.mails.at(-1), [73 * minute, "OPENED"]);
  assert.equal(other.incidents, 2);
});

test("a lasting failure is reported after a day, after three, half a day before the webhook is disabled, and then", () => {
  const disablesAtMs = 192 * hour;
  const ticks = Array.from({ length: 200 }, (_, i) => [i * hour, tick(disablesAtMs)] as const);
  const { mails } = walk([[0, failure(true)], ...ticks, [200 * hour, { kind: "DISABLED" }], [300 * hour, tick()]]);
  assert.deepEqual(mails, [
    [0, "OPENED"],
    [24 * hour, "STILL_24H"],
    [72 * hour, "STILL_72H"],
    [180 * hour, "DISABLES_SOON"],
    [200 * hour, "DISABLED"],
  ]);
});

const events = fc.oneof(
  { weight: 4, arbitrary: fc.boolean().map(failure) },
  { weight: 3, arbitrary: fc.constant(success) },
  { weight: 4, arbitrary: fc.option(fc.nat(400 * hour), { nil: undefined }).map(tick) },
  { weight: 1, arbitrary: fc.constant<IncidentEvent>({ kind: "DISABLED" }) },
);

test("in any order of events an incident has at most six mails, each kind once, and the opening mail first", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 12 * hour }), events), { maxLength: 300 }), (steps) => {
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
  const disablesAtMs = 192 * hour;
  assert.equal(nextTickAtMs(undefined, disablesAtMs), undefined);
  let { state } = stepIncident(undefined, failure(true), 0);
  for (const atMs of [24 * hour, 72 * hour, 180 * hour]) {
    assert.equal(nextTickAtMs(state, disablesAtMs), atMs);
    assert.deepEqual(stepIncident(state, tick(disablesAtMs), atMs - 1).mails, []);
    ({ state } = stepIncident(state, tick(disablesAtMs), atMs));
  }
  assert.equal(nextTickAtMs(state, disablesAtMs), undefined);
  const quiet = stepIncident(state, success, 181 * hour).state;
  assert.equal(nextTickAtMs(quiet, undefined), 181 * hour + 10 * minute);
  assert.equal(nextTickAtMs(stepIncident(quiet, tick(), 182 * hour).state, undefined), undefined);
  assert.equal(nextTickAtMs(stepIncident(state, { kind: "DISABLED" }, 192 * hour).state, undefined), undefined);
});

test("checks at due times report the same mails at the same times as constant checks", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(120), fc.boolean()), { maxLength: 12 }), fc.nat(200), (steps, disablesIn) => {
      const disablesAtMs = disablesIn * hour;
      const events = new Map<number, IncidentEvent>([[0, failure(true)]]);
      let atHour = 0;
      for (const [hours, isSuccess] of steps) {
        atHour += hours;
        events.set(atHour, isSuccess ? success : failure(true));
      }
      const tell = (isTickDue: (state: IncidentState | undefined, nowMs: number) => boolean) => {
        const mails: string[] = [];
        let state: IncidentState | undefined;
        for (let nowMs = 0; nowMs < (atHour + 250) * hour; nowMs += 10 * minute) {
          const take = (event: IncidentEvent) => {
            const step = stepIncident(state, event, nowMs);
            state = step.state;
            mails.push(...step.mails.map((kind) => `${nowMs} ${kind}`));
          };
          const event = events.get(nowMs / hour);
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
