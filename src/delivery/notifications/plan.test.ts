import assert from "node:assert/strict";
import { test } from "node:test";
import { type Condition, type KnownCondition, planRound } from "#/delivery/notifications/plan.ts";
import type { RuleSettings } from "#/delivery/notifications/rule.ts";

const settings: RuleSettings = {
  addresses: ["ops@example.com"],
  shownUrl: null,
  clientIds: [],
  facilityCodes: [],
  kinds: [],
  severity: "ANY",
  schedule: "AT_ONCE",
  dailyAt: null,
  quietFrom: null,
  quietUntil: null,
  timeZone: "Europe/Berlin",
  remindHours: null,
};
const condition = (key: string, more: Partial<Condition> = {}): Condition => ({
  key,
  kind: "ORDER_LATE",
  isSevere: true,
  clientId: "DEMO",
  facilityCode: "DC1",
  since: "2026-11-20T06:00:00.000Z",
  count: 1,
  isMore: false,
  title: key,
  summary: key,
  path: "/exceptions",
  ...more,
});
const known = (key: string, more: Partial<KnownCondition> = {}): KnownCondition => ({
  key,
  kind: "ORDER_LATE",
  since: "2026-11-20T06:00:00.000Z",
  seenAt: "2026-11-20T07:00:00.000Z",
  reportedAt: null,
  endedAt: null,
  ...more,
});

interface Case {
  readonly more?: Partial<RuleSettings>;
  readonly at: string;
  readonly conditions?: readonly Condition[];
  readonly stored?: readonly KnownCondition[];
  readonly lastAt?: string;
  readonly cut?: readonly string[];
}
const plan = ({ more, at, conditions = [], stored = [], lastAt, cut = [] }: Case) =>
  planRound(
    { ...settings, ...more },
    Date.parse(at),
    { conditions, cutKinds: new Set(cut) },
    stored,
    lastAt === undefined ? undefined : Date.parse(lastAt),
  );
const reportedBy = (facts: Case) => plan(facts).report.map(({ key }) => key);

test("a condition is reported once, again after its reminder, and five minutes after the last message at the earliest", () => {
  const conditions = [condition("a")];
  const at = "2026-11-20T08:00:00Z";
  assert.deepEqual(reportedBy({ at, conditions }), ["a"]);
  assert.deepEqual(reportedBy({ at, conditions, lastAt: "2026-11-20T07:56:00Z" }), []);
  assert.deepEqual(reportedBy({ at, conditions, lastAt: "2026-11-20T07:55:00Z" }), ["a"]);
  const stored = [known("a", { reportedAt: "2026-11-20T07:00:00.000Z" })];
  assert.deepEqual(reportedBy({ at, conditions, stored }), []);
  assert.deepEqual(reportedBy({ at, conditions, stored, more: { remindHours: 2 } }), []);
  assert.deepEqual(reportedBy({ at, conditions, stored, more: { remindHours: 1 } }), ["a"]);
});

test("kinds and severity select; the first kind of a key is reported, and what failed comes first", () => {
  const conditions = [
    condition("low", { kind: "LOW_STOCK", isSevere: false, since: null }),
    condition("receiver", { kind: "DELIVERY_FAILED" }),
    condition("receiver", { kind: "RECEIVER_FAILING" }),
  ];
  const at = "2026-11-20T08:00:00Z";
  const all = plan({ at, conditions });
  assert.deepEqual(
    all.report.map(({ key, kind, since }) => [key, kind, since]),
    [
      ["receiver", "DELIVERY_FAILED", "2026-11-20T06:00:00.000Z"],
      ["low", "LOW_STOCK", "2026-11-20T08:00:00.000Z"],
    ],
  );
  assert.deepEqual(reportedBy({ at, conditions, more: { severity: "SEVERE" } }), ["receiver"]);
  const { report } = plan({ at, conditions, more: { kinds: ["RECEIVER_FAILING"] } });
  assert.deepEqual([report.length, report[0]?.kind], [1, "RECEIVER_FAILING"]);
});

test("a condition that ends is the same one for an hour; one that was not reported is forgotten at once", () => {
  const reportedAt = "2026-11-20T07:00:00.000Z";
  const at = "2026-11-20T08:00:00Z";
  const ends = plan({ at, stored: [known("reported", { reportedAt }), known("unreported")] });
  assert.deepEqual([ends.ended, ends.forgotten, ends.report], [["reported"], ["unreported"], []]);
  const stored = [known("a", { reportedAt, endedAt: "2026-11-20T07:30:00.000Z" })];
  const back = plan({ at, conditions: [condition("a")], stored });
  assert.deepEqual([back.back, back.found, back.report], [["a"], [], []]);
  assert.deepEqual(plan({ at, stored }).forgotten, []);
  assert.deepEqual(plan({ at: "2026-11-20T08:30:00Z", stored }).forgotten, ["a"]);
  const cut = plan({ at, stored: [known("reported", { reportedAt }), known("unreported")], cut: ["ORDER_LATE"] });
  assert.deepEqual([cut.ended, cut.forgotten], [[], []], "what was not read may still last");
});

test("a digest reports at its hour what was found before, by the clock of its time zone", () => {
  const conditions = [condition("a")];
  const stored = [known("a", { seenAt: "2026-11-20T07:10:00.000Z" })];
  const hourly = { schedule: "HOURLY" } as const;
  assert.deepEqual(reportedBy({ at: "2026-11-20T07:59:59Z", conditions, stored, more: hourly }), []);
  assert.deepEqual(reportedBy({ at: "2026-11-20T08:00:10Z", conditions, stored, more: hourly }), ["a"]);
  // 08:30 in Berlin is 07:30 UTC in winter.
  const daily = { schedule: "DAILY", dailyAt: "08:30" } as const;
  assert.deepEqual(reportedBy({ at: "2026-11-20T07:29:00Z", conditions, stored, more: daily }), []);
  assert.deepEqual(reportedBy({ at: "2026-11-20T07:30:00Z", conditions, stored, more: daily }), ["a"]);
  const late = [known("a", { seenAt: "2026-11-20T07:31:00.000Z" })];
  assert.deepEqual(reportedBy({ at: "2026-11-20T12:00:00Z", conditions, stored: late, more: daily }), []);
  assert.deepEqual(reportedBy({ at: "2026-11-21T07:30:00Z", conditions, stored: late, more: daily }), ["a"]);
});

test("quiet hours may span midnight; what was found in them is reported at their end", () => {
  const conditions = [condition("a")];
  const quiet = { quietFrom: "22:00", quietUntil: "06:00" };
  for (const [at, isTold] of [
    ["2026-11-20T20:59:00Z", true],
    ["2026-11-20T21:00:00Z", false],
    ["2026-11-21T04:59:00Z", false],
    ["2026-11-21T05:00:00Z", true],
  ] as const) {
    assert.equal(reportedBy({ at, conditions, more: quiet }).length > 0, isTold, at);
  }
  const noon = { quietFrom: "12:00", quietUntil: "13:00" };
  assert.deepEqual(reportedBy({ at: "2026-11-20T11:30:00Z", conditions, more: noon }), []);
  const digest = { ...noon, schedule: "DAILY", dailyAt: "12:30" } as const;
  const stored = [known("a", { seenAt: "2026-11-20T10:00:00.000Z" })];
  assert.deepEqual(reportedBy({ at: "2026-11-20T12:00:00Z", conditions, stored, more: digest }), ["a"]);
});
