// A client chooses a webhook's URL: it must not reach services that only this machine and its network can reach.
// Canaries listen; no connection to them is permitted.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, isIP } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Lookup } from "#/delivery/webhooks/sending/lookup.ts";
import { createSender, type SendResult } from "#/delivery/webhooks/sending/sender.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { AddressPolicy } from "#/kernel/security/address-policy.ts";
import { atEnd } from "../support/app/at-end.ts";
import { freePort } from "../support/app/free-port.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { hostileHosts, hostileNames, hostileUrls } from "./hostile-targets.ts";

const strict: AddressPolicy = { allowPrivate: false, privateTargets: [] };

/** Counts connections, whatever they send. */
async function canaryOn(host: string, port = 0) {
  const canary = { port, connections: 0, bytes: 0 };
  const server = createServer((socket) => {
    canary.connections++;
    socket.on("data", (chunk) => {
      canary.bytes += chunk.length;
    });
    socket.on("error", () => {});
    setTimeout(() => socket.destroy(), 200);
  });
  server.listen(port, host);
  await once(server, "listening");
  canary.port = (server.address() as AddressInfo).port;
  atEnd(() => server.close());
  return canary;
}

/** Every address of this machine: IPv6 and, on the same socket, IPv4; without IPv6, IPv4 only. */
const canary = await canaryOn("::").catch(() => canaryOn("0.0.0.0"));

const namesLookup: Lookup = async (hostname) => {
  const answers = hostileNames[hostname] ?? hostileNames[hostname.toUpperCase()];
  if (answers === undefined) throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
  return answers.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
};

function senderOf(policy: AddressPolicy, lookup: Lookup) {
  const sender = createSender({ policy, lookup, clock: systemClock, connectMsMax: 10_000, wholeMsMax: 20_000 });
  atEnd(() => sender.close());
  const secrets = [`whsec_${randomBytes(32).toString("base64")}`];
  return (url: string): Promise<SendResult> =>
    sender.send(
      { url, contentType: "application/json", headers: {}, secrets },
      { id: "evt_1", body: "{}", sequence: 1 },
    );
}

const push = senderOf(strict, namesLookup);
let checked = 0;

/** No packet was sent: no connection exists whose time could be measured. */
function assertRefused(result: SendResult, message: string, classes: readonly string[] = ["blocked"]): void {
  checked++;
  assert.ok(classes.includes(result.errorClass ?? "delivered"), `${message}: ${result.errorClass} ${result.detail}`);
  assert.equal(result.phases.connect, undefined, message);
  assert.equal(result.status, undefined, message);
  assert.equal(result.address, undefined, message);
  assert.equal(result.outcome.kind, result.errorClass === "blocked" ? "blocked" : "failed", message);
}

test("no spelling of an address that is not of the internet is connected to", async () => {
  assert.ok(new Set(hostileHosts).size > 300, `only ${new Set(hostileHosts).size} hosts`);
  let blocked = 0;
  for (const host of hostileHosts) {
    for (const scheme of ["http", "https"]) {
      const url = `${scheme}://${host}:${canary.port}/hook`;
      const result = await push(url);
      // A URL that the platform's parser refuses is invalid (such as wrong octal digits); a host that it does not read
      // as an address is a name.
      assertRefused(result, url, ["blocked", "protocol", "dns"]);
      if (result.errorClass === "blocked") blocked++;
    }
  }
  assert.ok(
    blocked > hostileHosts.length * 1.8,
    `only ${blocked} of ${2 * hostileHosts.length} were read as an address`,
  );
  assert.equal(canary.connections, 0);
});

test("no URL that hides where it leads is connected to", async () => {
  for (const url of hostileUrls(canary.port)) {
    assertRefused(await push(url), JSON.stringify(url), ["blocked", "protocol", "dns"]);
  }
  assert.equal(canary.connections, 0);
});

test("no name is connected to of which one address is not of the internet", async () => {
  for (const name of Object.keys(hostileNames)) {
    const result = await push(`http://${name}:${canary.port}/`);
    assertRefused(result, name);
    // The client reads this text: it must not reveal how names resolve in the internal network.
    for (const address of hostileNames[name] ?? []) {
      assert.ok(address === "" || !(result.detail ?? "").includes(address), `${name}: ${result.detail}`);
    }
  }
  assert.equal(canary.connections, 0);
});

test("at least 300 hostile targets were checked, and the canary detects a connection", async () => {
  assert.ok(checked >= 300, String(checked));
  assert.equal(canary.connections, 0);
  const permissive = senderOf({ allowPrivate: true, privateTargets: [] }, namesLookup);
  const before = canary.connections;
  const hosts = ["127.0.0.1", "0x7f.1", "2130706433", "１２７.0.0.1", "0.0.0.0", "localhost", "[::ffff:127.0.0.1]"];
  for (const host of hosts) await permissive(`http://${host}:${canary.port}/`);
  assert.equal(canary.connections - before, hosts.length);
  assert.ok(canary.bytes > 0);
  canary.connections = 0;
});

test("no setting allows a connection to a metadata address", async () => {
  const permissive = senderOf({ allowPrivate: true, privateTargets: ["0.0.0.0/0", "::/0"] }, async () => [
    { address: "169.254.169.254", family: 4 },
  ]);
  const hosts = [
    ...["169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518", "169.254.169.254."],
    ...["[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::]"],
    ...["[fd00:ec2::254]", "169.254.170.2", "100.100.100.200", "metadata.google.internal", "rebound.example"],
  ];
  for (const host of hosts) assertRefused(await permissive(`http://${host}:${canary.port}/latest/meta-data/`), host);
  assert.equal(canary.connections, 0);
});

// From here on, 127.0.0.2 represents the internet: it is the only permitted address, and 127.0.0.1 has a canary on the
// same port.
const internet = await startReceiver({ host: "127.0.0.2", port: await freePort() });
atEnd(() => internet.close());
const target = await canaryOn("127.0.0.1", internet.port);
const allowing: AddressPolicy = { allowPrivate: false, privateTargets: ["127.0.0.2"] };
const outside = { address: "127.0.0.2", family: 4 };
const inside = { address: "127.0.0.1", family: 4 };

test("a name that is rebound after it was checked is not looked up again", async () => {
  const answers = [[outside], [inside]];
  let lookups = 0;
  const rebound = senderOf(allowing, async () => answers[Math.min(lookups++, 1)] ?? []);
  const url = `http://rebound.example:${internet.port}/`;
  const first = await rebound(url);
  assert.equal(first.status, 200);
  assert.equal(first.address, "127.0.0.2");
  assert.equal(lookups, 1);
  // Over the open connection: its address is the checked one.
  assert.equal((await rebound(url)).address, "127.0.0.2");
  assert.equal(lookups, 1);
  internet.breakConnections();
  await new Promise((resolve) => setTimeout(resolve, 50));
  // If this process got no processor time, the connection's timeout passes before it reads its sockets.
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assertRefused(await rebound(url), "rebound");
  assert.equal(lookups, 2);
  assert.equal(target.connections, 0);
});

test("a name that leads out and in at once is connected to neither way", async () => {
  const { connections } = internet;
  for (const found of [
    [outside, inside],
    [inside, outside],
    [outside, outside, { address: "::1", family: 6 }],
  ]) {
    const both = senderOf(allowing, async () => found);
    assertRefused(await both(`http://both.example:${internet.port}/`), JSON.stringify(found));
  }
  assert.equal(target.connections, 0);
  assert.equal(internet.connections, connections);
});

test("a redirect leads nowhere, neither to this machine nor to a cloud's metadata", async () => {
  const send = senderOf(allowing, async () => [outside]);
  const locations = [
    ...[`http://127.0.0.1:${target.port}/`, `//127.0.0.1:${target.port}/`, `http://0x7f.1:${target.port}/`, "/again"],
    ...[`http://[::ffff:7f00:1]:${target.port}/`, `http://localhost:${target.port}/`, "http://169.254.169.254/latest/"],
    ...["file:///etc/passwd", `gopher://127.0.0.1:${target.port}/_x`, `http://rebound.example:${target.port}/`],
  ];
  const before = internet.requests.length;
  for (const redirect of locations) {
    for (const status of [301, 302, 303, 307, 308]) {
      internet.answer = { redirect, status };
      const result = await send(`http://redirects.example:${internet.port}/`);
      assert.equal(result.errorClass, "redirect", redirect);
      assert.equal(result.status, status);
    }
  }
  assert.equal(internet.requests.length - before, locations.length * 5);
  assert.equal(target.connections, 0);
});

test("where the system itself leads elsewhere, the connection is given up before a byte is sent", async () => {
  // A connection to 0.0.0.0 reaches this machine: the address is permitted, but not the address that the connection
  // reaches.
  const send = senderOf({ allowPrivate: false, privateTargets: ["0.0.0.0"] }, namesLookup);
  const { bytes } = target;
  const result = await send(`http://0.0.0.0:${target.port}/`);
  assert.equal(result.errorClass, "blocked", String(result.detail));
  assert.deepEqual(result.outcome, { kind: "blocked" });
  assert.equal(target.bytes, bytes);
});
