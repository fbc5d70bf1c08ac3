import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { sizeOf, timeOf } from "#/cli/doctor/check.ts";
import { skewCheck } from "#/cli/doctor/database-checks.ts";
import { diskCheck, diskChecks, fileChecks } from "#/cli/doctor/machine-checks.ts";
import { addressChecks, certificateChecks, mailCheck, stepCheck, stepChecks } from "#/cli/doctor/network-checks.ts";
import { providerChecks } from "#/cli/doctor/sign-in-checks.ts";
import { fanOutCheck } from "#/cli/doctor/work-checks.ts";
import { type Config, loadConfig } from "#/kernel/config/config.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { makeCertificate } from "../../../tests/support/app/certificates.ts";
import { startMailSink } from "../../../tests/support/mail/sink.ts";

function configOf(env: Record<string, string>): Config {
  const loaded = loadConfig(env, {
    cwd: "/",
    readFile: () => {
      throw Object.assign(new Error(), { code: "ENOENT" });
    },
  });
  assert(loaded.ok);
  return loaded.value;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const statusesOf = (checks: readonly { name: string; status: string }[]) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));

test("clocks and disks are rated by their limits", () => {
  assert.deepEqual(
    [1_999, -2_001, 60_001, -60_001].map((ms) => skewCheck(ms).status),
    ["ok", "warn", "fail", "fail"],
  );
  const gib = 2 ** 30;
  assert.deepEqual(
    [3, 1, 0.1].map((size) => diskCheck("x", size * gib).status),
    ["ok", "warn", "fail"],
  );
});

test("a data directory that does not exist yet is not a failure", async () => {
  assert.deepEqual(statusesOf(await diskChecks("/no such folder", "/")), { disk: "warn" });
});

test("a configured mail server must answer and accept the sign-in; the check sends no mail", async () => {
  const sink = await startMailSink({ user: "crossdock", pass: "the right one" });
  const at = (url: string) => mailCheck(configOf({ CROSSDOCK_SMTP_URL: url }));
  assert.deepEqual(await at(sink.url), {
    name: "mail",
    status: "ok",
    text: `${new URL(sink.url).host} greets us and accepts our sign-in`,
  });
  const refused = await at(sink.url.replace(/:[^:@]*@/, ":a-wrong-one@"));
  assert.equal(refused.status, "fail");
  assert.match(refused.text, /535/);
  assert(!JSON.stringify(refused).includes("a-wrong-one"));
  // A server that accepts a connection and sends nothing is not a mail server.
  const silent = await listening(createServer((socket) => void socket.on("error", () => {})));
  const beganMs = performance.now();
  assert.equal((await at(`smtp://127.0.0.1:${silent}`)).status, "fail");
  assert(performance.now() - beganMs < 15_000);
  await sink.close();
  assert.equal((await at(sink.url)).status, "fail");
  assert.equal((await mailCheck(configOf({}))).status, "ok");
  assert.deepEqual(await mailCheck({ ...configOf({}), environment: "production" }), {
    name: "mail",
    status: "warn",
    text: "alerts reach no person, because no mail server is configured; mails are stored and shown in the console",
    advice: "set CROSSDOCK_SMTP_URL",
  });
  assert.deepEqual([sink.mails.length, sink.connections], [0, 2]);
});

test("the client whose events have waited longest for their deliveries is named", () => {
  const nowMs = Date.parse("2026-11-20T10:00:00Z");
  const backlogs = (clientId: string, events: number, seconds: number) => ({
    clientId,
    events,
    since: new Date(nowMs - seconds * 1_000).toISOString(),
  });
  assert.equal(fanOutCheck([], nowMs).status, "ok");
  assert.equal(fanOutCheck([backlogs("A", 3, 2)], nowMs).status, "ok");
  const late = fanOutCheck([backlogs("A", 3, 2), backlogs("B", 700, 60)], nowMs);
  assert.equal(late.status, "warn");
  assert.match(late.text, /^2 clients wait; B the longest, with 700 events/);
  assert.equal(fanOutCheck([backlogs("B", 700, 600)], nowMs).status, "fail");
  const ahead = fanOutCheck([], nowMs, ["C", "D"]);
  assert.equal(ahead.status, "fail");
  assert.match(ahead.advice ?? "", /^run 'crossdock events check --client C', and set the cursor back as in/);
});

test("a certificate is checked for its validity period and its names", () => {
  const inDays = (days: number) => new Date(Date.now() + days * dayMs);
  const checkOf = (names: readonly string[], until: Date) => {
    const tls = makeCertificate({ names, until });
    const http = { ...configOf({ CROSSDOCK_BASE_URL: "https://api.example.com" }).http, tls };
    return certificateChecks({ http }, Date.now())[0];
  };
  const statuses = [60, 20, 2, -1].map((days) => checkOf(["api.example.com"], inDays(days))?.status);
  assert.deepEqual(statuses, ["ok", "warn", "fail", "fail"]);
  assert.equal(checkOf(["*.example.com"], inDays(60))?.status, "ok");
  const strange = checkOf(["www.example.org"], inDays(60));
  assert.deepEqual([strange?.status, strange?.text], ["fail", "does not cover api.example.com"]);
  const broken = { ...configOf({}).http, tls: { cert: "no PEM", key: "" } };
  assert.equal(certificateChecks({ http: broken }, Date.now())[0]?.status, "fail");
  assert.deepEqual(certificateChecks(configOf({}), Date.now()), [], "a proxy has it");
});

test("a public address must lead to a Crossdock server with a trusted certificate", async () => {
  const ours = await listening(
    createHttpServer((_, response) => response.setHeader("X-Correlation-Token", "t").end("{}")),
  );
  const stranger = await listening(createHttpServer((_, response) => response.end("hello")));
  const secure = await listening(
    createTlsServer({ ...makeCertificate({ names: ["localhost"] }) }, (_, response) => response.end()),
  );
  const gone = createServer();
  const nobody = await listening(gone);
  gone.close();
  await once(gone, "close");
  const at = async (url: string) => (await addressChecks(configOf({ CROSSDOCK_FEED_URL: url })))[0];
  assert.equal((await at(`http://127.0.0.1:${ours}`))?.status, "ok");
  assert.equal((await at(`http://127.0.0.1:${stranger}`))?.status, "fail");
  const distrusted = await at(`https://localhost:${secure}`);
  assert.deepEqual([distrusted?.name, distrusted?.status], ["public address feed", "fail"]);
  assert.match(distrusted?.text ?? "", /not trusted/);
  const absent = await at(`http://127.0.0.1:${nobody}`);
  assert.equal(absent?.status, "warn");
  assert.match(absent?.text ?? "", /ECONNREFUSED/);
  assert.equal((await addressChecks(configOf({})))[0]?.status, "ok");
});

test("files with secrets of the data directory and of settings must be readable only by their owner", (t) => {
  const parent = mkdtempSync(path.join(tmpdir(), "crossdock-secrets-"));
  t.after(() => rmSync(parent, { recursive: true }));
  chmodSync(parent, 0o755);
  const folder = path.join(parent, "keys");
  mkdirSync(folder, { mode: 0o755 });
  const [key, address] = ["secret", "database-url"].map((name) => path.join(folder, name)) as [string, string];
  const check = () => fileChecks(folder, {}, parent)[0];
  assert.equal(check(), undefined);
  for (const file of [key, address]) {
    writeFileSync(file, "x");
    chmodSync(file, 0o600);
  }
  writeFileSync(path.join(parent, ".env"), `DATABASE_URL_FILE=${address}\n`);
  assert.equal(check()?.status, "ok");
  chmodSync(address, 0o640);
  assert.deepEqual([check()?.status, check()?.text], ["warn", `other users can read ${address}`]);
  chmodSync(key, 0o644);
  assert.deepEqual([check()?.status, check()?.advice], ["fail", `run: chmod 600 ${key} ${address}`]);
  chmodSync(folder, 0o700);
  assert.equal(check()?.status, "ok");
});

test("figures for people have whole units", () => {
  assert.deepEqual([0, 1_023, 1_024, 5.25 * 2 ** 30].map(sizeOf), ["0 B", "1023 B", "1.0 KiB", "5.3 GiB"]);
  assert.deepEqual([5, 600, 10_000, 400_000].map(timeOf), ["5 s", "10 min", "3 h", "5 days"]);
});

test("the metadata of an identity provider are fetched, and errors in them are reported", async () => {
  let issuer = "";
  const provider = createHttpServer((request, response) => {
    const isFound = request.url === "/.well-known/openid-configuration";
    response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
  });
  const url = `http://127.0.0.1:${await listening(provider)}`;
  const check = (of: string) =>
    providerChecks(
      configOf({
        CROSSDOCK_OIDC_ISSUER: of,
        CROSSDOCK_OIDC_CLIENT_ID: "crossdock",
        CROSSDOCK_OIDC_ACCESS: '[{"group":"a","role":"admin"}]',
      }),
    );
  issuer = url;
  assert.deepEqual((await check(url))[0], { name: "identity provider", status: "ok", text: `${url}/ answers` });
  for (const [of, named, words] of [
    [`${url}/realms/wms`, url, /unexpected HTTP response status code/],
    [url, "https://elsewhere.example", /issuer does not match the expected issuer/],
    ["http://127.0.0.1:9", url, /fetch failed/],
  ] as const) {
    issuer = named;
    const [failed] = await check(of);
    assert.equal(failed?.status, "fail");
    assert.match(failed.text, words);
    assert.match(failed.advice ?? "", /CROSSDOCK_OIDC_ISSUER/);
  }
  assert.deepEqual(await providerChecks(configOf({})), []);
});

test("the longest step of the event loop is named with its route", async () => {
  const step = (route: string, seconds: number) =>
    `crossdock_event_loop_step_max_seconds{route="${route}"} ${seconds}\n`;
  assert.equal(stepCheck("process_cpu_seconds_total 3\n").status, "ok");
  assert.equal(stepCheck(step("/v1/a/b", 0.2)).status, "ok");
  const { status, text } = stepCheck(step("/v1/a/b", 0.3) + step("/v1/c/d/:id", 7.34) + step("/v1/e/f", 0.9));
  assert.equal(status, "warn");
  assert.match(text, /^7\.3 s of processor time in one step of \/v1\/c\/d\/:id/);
  const ours = await listening(
    createHttpServer((_, response) => response.setHeader("X-Correlation-Token", "t").end(step("/v1/a/b", 0.9))),
  );
  const stranger = await listening(createHttpServer((_, response) => response.end(step("/v1/a/b", 0.9))));
  const at = async (port: number) => statusesOf(await stepChecks(configOf({ PORT: `${port}` })));
  assert.deepEqual([await at(ours), await at(stranger), await at(0)], [{ "event loop": "warn" }, {}, {}]);
});
