import { readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { createRequestLog } from "#/http/request-log/request-log.ts";
import { openExchange } from "#/http/server/exchange.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createClient } from "#/modules/clients/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { migrate } from "#/store/db/schema/migrator.ts";
import { makePartitions } from "#/store/db/schema/partitions.ts";
import { machine, median, temporaryFolder } from "./feeds/machine.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";

const ids = createIds();
const clientIds = Array.from({ length: 100 }, (_, i) => `C${i}`);
const problem = { code: "not-found", detail: "The client has no order UNKNOWN-1." };

/**
 * Measures what the request log adds to a request: the processor time of the program and of PostgreSQL for an entry, by
 * the number of clients with entries in a second, and of their entries.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: "string", default: "5" }, entries: { type: "string", default: "20000" } },
  });
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder });
  const database = openDatabase({ url: server.url, connectionsMax: 2, applicationName: "bench" });
  try {
    await migrate(server.url, fileURLToPath(new URL("../migrations", import.meta.url)), {
      afterwards: (connection) => makePartitions(connection, Date.now()),
    });
    const change = { actor: "bench", origin: "bench", at: new Date().toISOString(), ids };
    for (const clientId of clientIds) {
      await database.transaction((tx) => createClient(tx, change, { clientId, name: clientId, facilities: [] }));
    }
    const store = await postmasterOf(server.url);
    const requests = createRequestLog({
      database,
      log: createLogger({ level: "warn", format: "json" }),
      level: "all",
      isDistributed: false,
      keepsBodies: async () => false,
      // The bench stores what waits by itself.
      flushMs: dayMs,
    });
    for (const [clients, atOnce] of [
      [1, 1],
      [100, 1],
      [10, 10],
      [1, 100],
    ] as const) {
      const costs: { program: number; store: number }[] = [];
      for (let round = 0; round <= Number(values.rounds); round++) {
        const entries = Number(values.entries);
        const before = { program: process.cpuUsage(), store: cpuSecondsOf(store) };
        for (let at = 0; at < entries; at += clients * atOnce) {
          for (const clientId of clientIds.slice(0, clients)) {
            for (let i = 0; i < atOnce; i++) requests.note(...answered(clientId, i % 2 === 0));
          }
          await requests.flush();
        }
        const { user, system } = process.cpuUsage(before.program);
        // The first round warms up.
        if (round === 0) continue;
        costs.push({
          program: (user + system) / entries,
          store: ((cpuSecondsOf(store) - before.store) * 1e6) / entries,
        });
      }
      const [program, postgres] = [costs.map((cost) => cost.program), costs.map((cost) => cost.store)];
      console.log(
        `${clients} clients with ${atOnce} each in a flush: program ${median(program).toFixed(1)} µs, PostgreSQL ${median(postgres).toFixed(1)} µs an entry`,
      );
    }
    await requests.close();
  } finally {
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function answered(
  clientId: string,
  isGood: boolean,
): [ReturnType<typeof openExchange>, IncomingMessage, ServerResponse] {
  const url = "/v1/orderService/order/get/UNKNOWN-1?limit=1";
  const raw = { method: "GET", url } as IncomingMessage;
  const exchange = openExchange(raw, ids.next(Date.now()));
  exchange.clientId = clientId;
  exchange.route = "/v1/orderService/order/get/:orderId";
  if (!isGood) exchange.problem = problem;
  return [exchange, raw, { headersSent: true, statusCode: isGood ? 200 : 404 } as ServerResponse];
}

/** The process whose children are the connections and the background work of PostgreSQL. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const status = readFileSync(`/proc/${(rows[0] as { pid: number }).pid}/status`, "utf8");
  await client.end();
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
