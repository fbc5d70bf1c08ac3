// A relay in a separate process that can be killed: `relay-process.ts URL LEASE_MS work|stall`. It reports its progress
// on stdout.
import assert from "node:assert/strict";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { openDatabase } from "#/store/db/database.ts";
import { startRelay } from "#/store/outbox/relay.ts";
import { createRecorder } from "../oracles/relay-recorder.ts";

const [url, leaseMs, mode] = process.argv.slice(2);
assert(url !== undefined && mode !== undefined);
const say = (line: string) => process.stdout.write(`${line}\n`);
const database = openDatabase({ url, connectionsMax: 3, applicationName: "crossdock relay test" });
const recorder = createRecorder();
startRelay({
  database,
  clock: systemClock,
  ids: createIds(),
  leaseMs: Number(leaseMs),
  pollMs: 50,
  consumers: [
    {
      async consume(tx, at, rows) {
        const drafts = await recorder.consume(tx, at, rows);
        if (mode === "stall") {
          say("stalled");
          await new Promise(() => {});
        }
        return drafts;
      },
    },
  ],
  onError: (error) => say(`error: ${error.message}`),
});
say("started");
