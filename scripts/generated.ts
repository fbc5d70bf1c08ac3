// Files that the tests, the checks and the console's types need and git does not track: the OpenAPI document of the console's
// service, made from its routes without a database, and the types of all documents.
import { writeFileSync } from "node:fs";
import { registerOperatorService } from "#/app/roles/operator-service.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { ensureTypes } from "../packages/client/scripts/generate.ts";

const operatorDocument = new URL("../schemas/openapi/operator.json", import.meta.url);

/** Takes 0.5 s of processor time, and 1 s to load the routes. */
export async function ensureGenerated(): Promise<void> {
  writeFileSync(operatorDocument, await documentOfOperators());
  await ensureTypes();
}

/** Stands for each part of a context, because a route uses its context only when it answers a request. */
const unused: object = new Proxy(() => unused, {
  get: (_, name) => (name === Symbol.iterator ? () => [].values() : unused),
  apply: () => unused,
});

async function documentOfOperators(): Promise<string> {
  const app = createHttpServer({
    log: createLogger({ level: "silent", format: "json" }),
    clock: systemClock,
    ids: createIds(systemClock),
    trustedProxies: [],
  });
  registerOperatorService(app, unused as Parameters<typeof registerOperatorService>[1]);
  try {
    return (await app.inject("/openapi/operator.json")).body;
  } finally {
    await app.close();
  }
}

if (import.meta.main) await ensureGenerated();
