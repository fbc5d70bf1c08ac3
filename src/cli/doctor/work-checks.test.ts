import assert from "node:assert/strict";
import { test } from "node:test";
import { restoreCheck } from "#/cli/doctor/work-checks.ts";
import type { RestoreHold } from "#/store/db/store/restore-hold.ts";

const restoredTo = "2026-11-21T03:00:00.000Z";
const nowMs = Date.parse("2026-11-21T05:00:00Z");
const held = (part: RestoreHold["part"], releasedAt: string | null): RestoreHold => ({
  restored_to: restoredTo,
  part,
  held_at: "2026-11-21T04:00:00.000Z",
  released_at: releasedAt,
  released_by: releasedAt === null ? null : "user:anna",
});

test("waiting work after a restore is reported with the remedy", () => {
  const check = restoreCheck(
    [held("TASKS", null), held("ALLOCATION", null), held("DELIVERIES", restoredTo)],
    restoredTo,
    nowMs,
  );
  assert.equal(check.status, "warn");
  assert.match(check.text, /^allocation, tasks wait for a release, since .+: restored to 2026-11-21T03:00:00\.000Z$/);
  assert.match(check.advice ?? "", /crossdock restore release/);
});

test("a released restore passes; its variable that is still set is a warning", () => {
  assert.equal(restoreCheck([held("TASKS", restoredTo)], undefined, nowMs).status, "ok");
  assert.match(restoreCheck([held("TASKS", restoredTo)], restoredTo, nowMs).advice ?? "", /remove CROSSDOCK_RESTORED/);
  assert.deepEqual(restoreCheck([], undefined, nowMs), { name: "restore", status: "ok", text: "no restore" });
});
