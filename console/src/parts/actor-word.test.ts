import assert from "node:assert/strict";
import { test } from "node:test";
import { actorWord } from "./actor-word.ts";

test("an actor is named in words, and an unknown kind as it is", () => {
  const actors = ["user:anna", "warehouse:DC1", "client:DEMO", "cli:root", "worker", "feed", "robot:r2"];
  assert.deepEqual(actors.map(actorWord), [
    "anna",
    "warehouse DC1",
    "client DEMO",
    "root, command line",
    "Crossdock",
    "feed",
    "robot:r2",
  ]);
});
