import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { after, test } from "node:test";
import { checkDatabase, poolCheck, skewCheck } from "#/cli/doctor/database-checks.ts";
import { diskCheck, diskChecks, nodeCheck, secretCheck } from "#/cli/doctor/machine-checks.ts";
import { mailCheck, portChecks } from "#/cli/doctor/network-checks.ts";
import { systemClock } from "#/kernel/clock.ts";
import { type Config, loadConfig } from "#/kernel/config.ts";
import { createSecretBox } from "#/kernel/secret-box.ts";
import { openHostKeys } from "#/sftp/index.ts";
import { testDatabase } from "../../../tests/support/database.ts";

const { url, database } = await testDatabase();

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

test("a database that forgets at a crash fails, though all else about it is well", async () => {
  // The tests' own PostgreSQL runs without fsync, unless another was named for them.
  const checks = await checkDatabase(url, configOf({}), systemClock);
  const durability = process.env.CROSSDOCK_TEST_POSTGRES_URL === undefined ? "fail" : statusesOf(checks).durability;
  const others = { pools: "ok", clock: "ok", schema: "ok", "SFTP host key": "ok" };
  assert.deepEqual(statusesOf(checks), { database: "ok", durability, ...others });
});

test("the fingerprints of the SFTP host keys are shown, once they are there, to whoever serves SFTP", async () => {
  const shown = async (env: Record<string, string>) =>
    (await checkDatabase(url, configOf(env), systemClock)).find(({ name }) => name === "SFTP host key")?.text;
  assert.equal(await shown({}), "is made when SFTP is started for the first time");
  const secretBox = createSecretBox("a master key for tests only, 32 or more");
  const [first, second] = await openHostKeys({ database, clock: systemClock, secretBox });
  assert.equal(await shown({}), `${first?.fingerprint} (ssh-ed25519), ${second?.fingerprint} (ssh-rsa)`);
  assert.equal(await shown({ CROSSDOCK_SFTP_PORT: "off" }), undefined);
  assert.equal(await shown({ CROSSDOCK_ROLES: "api,worker" }), undefined);
});

test("a database that cannot be reached is one failure, with what to do", async () => {
  const closed = createServer();
  const port = await listening(closed);
  closed.close();
  const checks = await checkDatabase(`postgres://nobody:secret@127.0.0.1:${port}/nothing`, configOf({}), systemClock);
  assert.deepEqual(statusesOf(checks), { database: "fail" });
  assert.match(checks[0]?.text ?? "", /ECONNREFUSED/);
  assert.match(checks[0]?.advice ?? "", /DATABASE_URL/);
  assert(!JSON.stringify(checks).includes("secret"));
});

test("the pools of all roles together must fit", () => {
  const { roles, database } = configOf({ CROSSDOCK_DB_POOL: "10", CROSSDOCK_ROLES: "api,feeds,worker" });
  assert.equal(poolCheck(29, { roles, database }).status, "fail");
  assert.equal(poolCheck(30, { roles, database }).status, "warn");
  assert.equal(poolCheck(40, { roles, database }).status, "ok");
});

test("clocks, disks and Node are judged by their bounds", () => {
  assert.deepEqual(
    [999, -1_001, 60_001, -60_001].map((ms) => skewCheck(ms).status),
    ["ok", "warn", "fail", "fail"],
  );
  const gib = 2 ** 30;
  assert.deepEqual(
    [3, 1, 0.1].map((size) => diskCheck("x", size * gib).status),
    ["ok", "warn", "fail"],
  );
  assert.deepEqual(
    ["26.10.0", "20.20.2"].map((version) => nodeCheck(version).status),
    ["ok", "fail"],
  );
});

test("a data directory that is not there yet is no failure", async () => {
  assert.deepEqual(statusesOf(await diskChecks("/no such folder", "/")), { disk: "warn" });
});

test("the master key is missed in production only", () => {
  assert.equal(secretCheck({ secret: undefined, environment: "sandbox" }).status, "ok");
  assert.equal(secretCheck({ secret: undefined, environment: "production" }).status, "fail");
  assert.equal(secretCheck({ secret: "x".repeat(32), environment: "production" }).status, "ok");
});

test("a port is well when it is free or held by a server of ours, and not when a stranger has it", async () => {
  const portsOf = async (env: Record<string, string>) => statusesOf(await portChecks(configOf(env)));
  const stranger = await listening(createHttpServer((_, response) => response.end("hello")));
  const ours = await listening(
    createHttpServer((_, response) => response.setHeader("X-Correlation-Token", "t").end("{}")),
  );
  const ssh = await listening(createServer((socket) => void socket.on("error", () => {}).end("SSH-2.0-Crossdock\r\n")));
  assert.deepEqual(await portsOf({ PORT: "0", CROSSDOCK_SFTP_PORT: "0" }), { "HTTP port": "ok", "SFTP port": "ok" });
  assert.deepEqual(await portsOf({ PORT: `${stranger}`, CROSSDOCK_SFTP_PORT: "off" }), { "HTTP port": "fail" });
  assert.deepEqual(await portsOf({ PORT: `${ours}`, CROSSDOCK_SFTP_PORT: `${ssh}` }), {
    "HTTP port": "ok",
    "SFTP port": "ok",
  });
  assert.deepEqual(await portsOf({ PORT: "0", CROSSDOCK_SFTP_PORT: `${stranger}` }), {
    "HTTP port": "ok",
    "SFTP port": "fail",
  });
  const gone = createServer();
  const free = await listening(gone);
  gone.close();
  await once(gone, "close");
  assert.deepEqual(await portsOf({ PORT: `${free}`, CROSSDOCK_SFTP_PORT: "off" }), { "HTTP port": "ok" });
  assert.deepEqual(await portsOf({ PORT: "0", CROSSDOCK_ROLES: "api" }), { "HTTP port": "ok" });
});

test("a mail server that is named must answer", async () => {
  const server = createServer((socket) => socket.end());
  const port = await listening(server);
  const mail = configOf({ CROSSDOCK_SMTP_URL: `smtp://user:secret@127.0.0.1:${port}` }).mail;
  assert.equal((await mailCheck(mail)).status, "ok");
  server.close();
  await once(server, "close");
  const failed = await mailCheck(mail);
  assert.equal(failed.status, "fail");
  assert(!JSON.stringify(failed).includes("secret"));
  assert.equal((await mailCheck(configOf({}).mail)).status, "ok");
});
