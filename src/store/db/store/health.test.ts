import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { test } from "node:test";
import { sql } from "#/store/db/sql.ts";
import { clockQuery } from "#/store/db/store/clock.ts";
import { poolInName, watchStore } from "#/store/db/store/health.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { startProxy } from "../../../../tests/support/http/proxy.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();

/** A proxy to the store that reports each health probe as it passes. */
async function startProxyOf(onLook: (connection: net.Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((inward) => {
    const outward = net.connect(Number(port), hostname);
    for (const socket of [inward, outward]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    outward.pipe(inward);
    inward.on("data", (bytes) => {
      outward.write(bytes, () => {
        if (bytes.includes(clockQuery)) onLook(inward);
      });
    });
    inward.on("close", () => outward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const proxy = new URL(url);
  proxy.hostname = "127.0.0.1";
  proxy.port = String((server.address() as net.AddressInfo).port);
  return proxy.href;
}

test("a suspended process does not report the store as silent", async () => {
  let looks = 0;
  const proxy = await startProxyOf(() => {
    looks++;
    // Stops the process for longer than the store may take to answer, while the probe is in flight.
    if (looks % 2 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_600);
  });
  const reports: boolean[] = [];
  const health = watchStore(proxy, 10, (isDown) => void reports.push(isDown));
  atEnd(() => health.stop());
  await until("five looks", () => looks >= 5);
  await health.stop();
  assert.deepEqual(reports, []);
});

test("a connection that is cut during a probe is not a store that is down", async () => {
  let probes = 0;
  const proxyUrl = await startProxyOf((connection) => {
    probes++;
    if (probes % 2 === 1) connection.destroy();
  });
  const reports: boolean[] = [];
  const health = watchStore(proxyUrl, 10, (isDown) => void reports.push(isDown));
  atEnd(() => health.stop());
  await until("it to look three times", () => probes >= 6);
  assert.deepEqual(reports, []);
});

test("a silent database is down, and is up again when it answers", async () => {
  const proxy = await startProxy(url);
  atEnd(() => proxy.shut());
  const reports: [boolean, string | undefined][] = [];
  const health = watchStore(proxy.url, 10, (isDown, cause) => void reports.push([isDown, cause?.message]));
  atEnd(() => health.stop());
  await until("it to look", async () => {
    const rows = await database.query(
      sql`select from pg_stat_activity where datname = current_database() and application_name ~ ${poolInName} limit 1`,
    );
    return rows.length > 0;
  });
  assert.equal(health.isDown(), false);
  proxy.hush();
  await until("it to be down", () => health.isDown());
  await until("it to be up", () => !health.isDown());
  assert.deepEqual(reports, [
    [true, "the database did not answer for 2000 ms"],
    [false, undefined],
  ]);
});
