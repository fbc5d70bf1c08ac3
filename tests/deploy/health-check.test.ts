import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeCertificate } from "../support/app/certificates.ts";
import { watchMachine } from "../support/app/machine.ts";
import { runProgram } from "../support/app/program.ts";
import { testServer } from "../support/app/server.ts";

const script = fileURLToPath(new URL("../../deploy/image/health-check.mjs", import.meta.url));
const stretch = watchMachine();
const stops: (() => void)[] = [];
after(() => {
  for (const stop of stops) stop();
});

/** Runs the check as the container does: only with the container's environment. */
async function check(environment: Record<string, string>, ...words: string[]) {
  const { code, stderr } = await runProgram([process.execPath, script, ...words], { env: environment });
  return { code, stderr };
}

async function serve(answer: RequestListener, tls?: { readonly cert: string; readonly key: string }): Promise<string> {
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return String((server.address() as AddressInfo).port);
}

test("a running server is healthy and ready", async () => {
  const { url } = await testServer();
  const environment = { PORT: new URL(url).port, CROSSDOCK_HOST: "0.0.0.0" };
  assert.deepEqual(await check(environment), { code: 0, stderr: "" });
  assert.deepEqual(await check(environment, "/readyz"), { code: 0, stderr: "" });
});

test("a server that is about to stop is healthy, but not ready", async () => {
  const port = await serve(({ url }, response) => response.writeHead(url === "/readyz" ? 503 : 200).end());
  assert.deepEqual(await check({ PORT: port }), { code: 0, stderr: "" });
  assert.deepEqual(await check({ PORT: port }, "/readyz"), { code: 1, stderr: "/readyz answered 503\n" });
});

test("a server with TLS is asked by TLS, whatever name its certificate is for", async () => {
  const certificate = makeCertificate({ names: ["crossdock.example.com"] });
  const port = await serve((_request, response) => response.end(), certificate);
  const settings = { PORT: port, CROSSDOCK_HOST: "127.0.0.1", CROSSDOCK_TLS_CERT: "/run/secrets/certificate.pem" };
  assert.deepEqual(await check(settings), { code: 0, stderr: "" });
  const { CROSSDOCK_TLS_CERT, ...rest } = settings;
  assert.deepEqual(await check({ ...rest, CROSSDOCK_TLS_CERT_FILE: CROSSDOCK_TLS_CERT }), { code: 0, stderr: "" });
  assert.equal((await check(rest)).code, 1);
});

test("an unreachable or silent server is unhealthy within the container's time-out", async () => {
  const closed = await check({ PORT: "1" });
  assert.equal(closed.code, 1);
  assert.match(closed.stderr, /^\/healthz does not answer: .*ECONNREFUSED/);
  const port = await serve(() => {});
  // Load on the machine makes some of them slow, but none fast.
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5 && fastestMs >= 5_000 * stretch(); turn++) {
    const startedMs = performance.now();
    assert.deepEqual(await check({ PORT: port }), { code: 1, stderr: "/healthz has not answered within 4000 ms\n" });
    fastestMs = Math.min(fastestMs, performance.now() - startedMs);
  }
  assert.ok(fastestMs < 5_000 * stretch(), `${fastestMs} ms`);
});
