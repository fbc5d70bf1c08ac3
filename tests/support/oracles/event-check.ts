// Validates every event of a test file against the event catalogue, strictly: the catalogue lists exactly the published
// members.
import assert from "node:assert/strict";
import { Compile } from "typebox/schema";
import { sequencesLeftOut } from "#/app/roles/restored.ts";
import { allTopics, bodySchema, eventBody, jsonSchemaOf, type LoggedEvent } from "#/delivery/webhooks/index.ts";
import { setUpTypeBox } from "#/http/server/validation.ts";
import type { Database } from "#/store/db/database.ts";
import { atEnd } from "../app/at-end.ts";
import { unpackedRow } from "../postgres/unpacked.ts";

const pageRows = 2_000;
const bodyBytesMax = 256 * 1024;
const faultsShown = 20;

type EventValidator = (clientId: string, event: LoggedEvent) => readonly string[];

/** Returns the deviations of an event from the catalogue. */
export function createEventValidator(): EventValidator {
  setUpTypeBox();
  const checks = new Map<string, ReturnType<typeof Compile>>();
  return (clientId, event) => {
    const topic = allTopics.find(({ topicName }) => topicName === event.topic);
    if (!topic) return ["the catalogue does not have the topic"];
    // Compiled when it occurs: all topics take 0.15 s of processor time.
    const check = checks.get(event.topic) ?? Compile(bodySchema(topic, jsonSchemaOf(topic.family.data)) as object);
    checks.set(event.topic, check);
    const body = eventBody(clientId, event);
    const faults: string[] = [];
    if (!check.Check(body))
      faults.push(...check.Errors(body)[1].map((error) => `${error.instancePath} ${error.message}`));
    const bytes = Buffer.byteLength(JSON.stringify(body));
    if (bytes > bodyBytesMax) faults.push(`the body has ${bytes} bytes`);
    return faults;
  };
}

export function checkEventsAfterwards(database: Database): void {
  atEnd(async () => assert.equal((await faultsOfEvents(database)).join("\n"), ""));
}

/**
 * Events of an object are numbered without gaps, in log order. The first events may have been dropped, and a restore
 * skips some numbers.
 */
function miscount(counts: Map<string, number>, row: LoggedEvent & { client_id: string }): string[] {
  const object = JSON.stringify([row.client_id, row.object_type, row.object_id]);
  const before = counts.get(object);
  const sequence = row.sequence ?? 0;
  counts.set(object, sequence);
  const isBehindRestore = before !== undefined && sequence > before && sequence % sequencesLeftOut === 1;
  const isNext = sequence === (before === undefined ? Math.max(sequence, 1) : before + 1);
  return isNext || isBehindRestore ? [] : ["sequence has a hole"];
}

async function faultsOfEvents(database: Database): Promise<readonly string[]> {
  const validate = createEventValidator();
  const faults = new Map<string, string>();
  const counts = new Map<string, number>();
  let last = { client_id: "", position: 0 };
  for (;;) {
    const rows = await database.query<LoggedEvent & { client_id: string }>({
      text: `select client_id, event_id, position, topic, object_type, object_id, sequence, facility_code, occurred_at, data from event
        where (client_id, position) > ($1, $2) order by client_id, position limit ${pageRows}`,
      values: [last.client_id, last.position],
      name: "test events",
      isTenant: false,
    });
    for (const row of rows.map(unpackedRow)) {
      for (const fault of [...validate(row.client_id, row), ...miscount(counts, row)]) {
        const kind = `${row.topic} ${fault.replace(/\/\d+/g, "/…")}`;
        if (faults.size < faultsShown && !faults.has(kind)) faults.set(kind, JSON.stringify(row).slice(0, 2_000));
      }
    }
    const end = rows.at(-1);
    if (!end || rows.length < pageRows) return [...faults].map(([kind, row]) => `${kind}: ${row}`);
    last = end;
  }
}
