// The client as its users have it: packed, installed, imported from ES modules and CommonJS, and its command run.
import assert from "node:assert/strict";
import { type ExecFileException, execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { verifyWebhook } from "@crossdock/client";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { buildPackage } from "../../packages/client/scripts/build.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { startReceiver } from "../support/http/receiver.ts";

const folder = mkdtempSync(path.join(tmpdir(), "crossdock-client-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const dist = await buildPackage(path.join(folder, "dist"));
const { npm_execpath: _, ...environment } = process.env;
const npm = (...args: readonly string[]) =>
  execFileSync("npm", args, { cwd: folder, encoding: "utf8", env: { ...environment, npm_config_offline: "true" } });
npm("pack", dist, "--ignore-scripts");
const tarball = path.join(folder, "crossdock-client-1.0.0.tgz");
writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "shop", private: true }));
npm("install", "--ignore-scripts", "--no-audit", tarball);

const server = await testServer();
const demo = await server.onboard("DEMO");
const { feed, oauth } = demo.credentials;
const variables = {
  CROSSDOCK_URL: server.url,
  CROSSDOCK_CLIENT: "DEMO",
  CROSSDOCK_CLIENT_ID: oauth.client_id,
  CROSSDOCK_CLIENT_SECRET: oauth.client_secret,
  CROSSDOCK_API_KEY: feed.apiKey,
};

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the Node of the PATH, which may be older than that of the tests. */
async function node(args: readonly string[], env: Readonly<Record<string, string>> = variables): Promise<Ran> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, ...env } };
  try {
    return { code: 0, ...(await promisify(execFile)("node", [...args], options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as ExecFileException;
    return { code: Number(code), stdout: String(stdout), stderr: String(stderr) };
  }
}

const command = "node_modules/@crossdock/client/esm/cli/main.js";
const crossdock = (...args: readonly string[]) => node([command, ...args]);

test("publint and attw find nothing in the package", async () => {
  const { messages, pkg } = await publint({ pkgDir: dist, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  assert.ok(analysis.types !== false);
  // Node 10 has no `exports`; the types of a document are found from Node 12.7 on.
  const problems = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem && problem.resolutionKind === "node10"),
  );
  assert.deepEqual(problems, []);
});

test("the package has no dependency, and nothing but what runs", () => {
  const manifest = JSON.parse(readFileSync(path.join(dist, "package.json"), "utf8"));
  assert.equal(manifest.dependencies, undefined);
  const files = JSON.parse(npm("pack", dist, "--dry-run", "--json")) as [{ files: { path: string }[] }];
  const kinds = new Set(files[0].files.map(({ path: file }) => file.replace(/^.*?((\.d)?\.\w+)$/, "$1")));
  assert.deepEqual([...kinds].sort(), [".d.ts", ".js", ".json", ".md", "LICENSE"]);
});

const program = `
  const client = createClient({ baseUrl: process.env.CROSSDOCK_URL, clientId: process.env.CROSSDOCK_CLIENT_ID, clientSecret: process.env.CROSSDOCK_CLIENT_SECRET });
  const feeds = createFeedClient({ baseUrl: process.env.CROSSDOCK_URL, clientId: "DEMO", apiKey: process.env.CROSSDOCK_API_KEY });
  const run = async () => {
    const sku = process.argv[2];
    const { success } = await feeds.send("CAT", { clientId: "DEMO", date: new Date(), item: [{ sku, name: "T-shirt & more" }] });
    const query = { sku };
    const { name } = await unwrap(client.items.GET("/v1/itemMasterService/findItemBySku", { params: { query } }));
    const types = [];
    for await (const event of events(client, { topicName: "feed:accepted" })) types.push(event.type);
    console.log(JSON.stringify({ success, name, types }));
  };
  run();`;

test("ES modules and CommonJS import it, and send, read and follow", async () => {
  const names = "{ createClient, createFeedClient, events, unwrap }";
  writeFileSync(path.join(folder, "shop.mjs"), `import ${names} from "@crossdock/client";${program}`);
  writeFileSync(path.join(folder, "shop.cjs"), `const ${names} = require("@crossdock/client");${program}`);
  for (const [file, sku] of [
    ["shop.mjs", "TEE-1"],
    ["shop.cjs", "TEE-2"],
  ] as const) {
    const { stdout, stderr } = await node([file, sku]);
    assert.equal(stderr, "");
    const { success, name, types } = JSON.parse(stdout);
    assert.deepEqual({ success, name }, { success: true, name: "T-shirt & more" });
    assert.deepEqual(new Set(types), new Set(["feed:accepted"]));
  }
});

const types = `
  import { createClient, createFeedClient, events, items, unwrap, verifyWebhook } from "@crossdock/client";
  import type { Order } from "@crossdock/client/order";
  const client = createClient({ baseUrl: "", clientId: "", clientSecret: "" });
  export async function run(): Promise<Order> {
    for await (const { orderId } of items(client.orders, "/v1/orderService/order/list")) orderId.trim();
    for await (const event of events(client)) if (event.type === "order:despatched") event.data.lines?.at(0)?.sku.trim();
    // @ts-expect-error no such field
    await createFeedClient({ baseUrl: "", clientId: "", apiKey: "" }).send("NO", { orderNumber: "1" });
    // @ts-expect-error no such path
    await client.orders.GET("/v1/orderService/order/nothing");
    const event = await verifyWebhook("", {}, "");
    if (event.type === "order:held") event.data.holds[0]?.reason?.trim();
    return unwrap(client.orders.GET("/v1/orderService/order/get/{orderId}", { params: { path: { orderId: "1" } } }));
  }`;

test("its types hold for a program of ES modules, of CommonJS and of a bundler", () => {
  const tsc = path.resolve("node_modules/typescript/bin/tsc");
  for (const [file, module, resolution] of [
    ["types.mts", "nodenext", "nodenext"],
    ["types.cts", "nodenext", "nodenext"],
    ["types.ts", "esnext", "bundler"],
  ] as const) {
    writeFileSync(path.join(folder, file), types);
    const strict = [
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noEmit",
      "--target",
      "es2022",
      "--lib",
      "es2023,dom,dom.iterable",
    ];
    const args = [...strict, "--types", "", "--module", module, "--moduleResolution", resolution, file];
    execFileSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", 2, 2] });
  }
});

test("a login is checked, and saved for its owner alone", async () => {
  const wrong = await node([command, "login"], {
    ...variables,
    CROSSDOCK_CLIENT_SECRET: "cds_wrong",
  });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^crossdock-client: no token: 401 invalid_client/);
  const none = await node([command, "order", "get", "1"], {});
  assert.deepEqual(none, {
    code: 64,
    stdout: "",
    stderr:
      "crossdock-client: no url, client, clientId, clientSecret: log in, or set CROSSDOCK_URL, CROSSDOCK_CLIENT, CROSSDOCK_CLIENT_ID, CROSSDOCK_CLIENT_SECRET\n",
  });
  const file = path.join(folder, "crossdock", "account.json");
  assert.deepEqual(await crossdock("login"), {
    code: 0,
    stdout: `DEMO at ${server.url}: saved in ${file}\n`,
    stderr: "",
  });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const saved = await node([command, "order", "get", "no-such"], {});
  assert.match(saved.stderr, /^crossdock-client: 404 The object does not exist/);
  assert.equal((await crossdock("logout")).code, 0);
  assert.throws(() => statSync(file), { code: "ENOENT" });
});

const orderOf = (orderId: string, sku: string) => order("DEMO", orderId, [sku], { distributionCentre: "DC1" });

test("feeds are validated and sent, with exit codes that a program reads", async () => {
  const send = async (verb: "send" | "validate", text: string, ...args: readonly string[]) => {
    writeFileSync(path.join(folder, "order.xml"), text);
    const { code, stdout, stderr } = await crossdock("feed", verb, "order.xml", ...args);
    return { code, said: (stdout + stderr).replace(/token \S+/, "token …") };
  };
  const unknown = await send("validate", orderOf("W-1", "GHOST"));
  assert.equal(unknown.code, 1);
  assert.match(unknown.said, /^NO W-1 rejected, token …\n {2}\[UNKNOWN_SKU\].*\n {2}unknown SKUs: GHOST\n$/);
  assert.deepEqual(await send("send", orderOf("W-1", "TEE-1"), "--key", "W-1"), {
    code: 0,
    said: "NO W-1 accepted, token …\n",
  });
  const other = await send("send", orderOf("W-2", "TEE-1"), "--key", "W-1");
  assert.equal(other.code, 1);
  assert.match(other.said, /\[IDEMPOTENCY\]/);
  const html = await send("send", "<html/>");
  assert.deepEqual(html, {
    code: 64,
    said: "crossdock-client: order.xml: the root element is none of itemMaster, vendorOrder, returnMerchandiseAuthorization, orderRequest\n",
  });
  writeFileSync(path.join(folder, "order.xml"), orderOf("W-3", "TEE-1"));
  const refused = await node([command, "feed", "send", "order.xml"], {
    ...variables,
    CROSSDOCK_API_KEY: "cd_wrong",
  });
  assert.equal(refused.code, 2);
});

test("a document is sent in its encoding", async () => {
  for (const name of ["CAT-utf-16.xml", "NO-iso-8859-1.xml", "CAT.xml"]) {
    const file = fileURLToPath(new URL(`../../samples/accepted/${name}`, import.meta.url));
    const { stdout, stderr } = await crossdock("feed", "validate", file);
    assert.equal(stderr, "", name);
    assert.match(stdout, name.startsWith("CAT") ? /^CAT .*accepted/ : /^NO WEB-\S+ rejected.*UNKNOWN_SKU/s, name);
  }
});

test("the guide's program sends an order", async () => {
  const guide = readFileSync(new URL("../../docs/client.md", import.meta.url), "utf8");
  const [, text = ""] = /```ts run-by: tests\/client\/package\.test\.ts\n([\s\S]*?)```/.exec(guide) ?? [];
  await demo.accept("CAT", catalogue("DEMO", ["HELLO-TEE"]));
  writeFileSync(path.join(folder, "guide.mjs"), text);
  const { stdout, stderr } = await node(["guide.mjs"]);
  assert.equal(stderr, "");
  assert.match(stdout, /^accepted: \S+\n$/);
});

test("an order says why it has not shipped", async () => {
  const { code, stdout } = await crossdock("order", "explain", "W-1");
  assert.equal(code, 0);
  assert.match(stdout, /^Order W-1: \w+\n.*TEE-1/s);
  assert.equal(JSON.parse((await crossdock("order", "get", "W-1")).stdout).orderId, "W-1");
});

test("events are printed once a run, and a kept cursor continues where the last run ended", async () => {
  const tail = async () => {
    const { stdout } = await crossdock(
      "events",
      "tail",
      "--once",
      "--cursor",
      "place",
      "--since",
      "2026-01-01",
      "--topic",
      "feed:accepted",
    );
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line).objectId);
  };
  const first = await tail();
  assert.ok(first.length >= 3);
  assert.deepEqual(await tail(), []);
});

test("a local receiver gets the events, signed with the secret that it knows", async () => {
  const receiver = await startReceiver();
  after(() => receiver.close());
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const args = ["webhook", "listen", "--forward-to", `${receiver.url}/hooks`, "--secret", secret, "--topic", "feed:*"];
  const listener = spawn("node", [command, ...args], { cwd: folder, env: { PATH: process.env.PATH, ...variables } });
  after(() => listener.kill("SIGKILL"));
  let output = "";
  for (const stream of [listener.stdout, listener.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  await until("listening", () => output.includes(secret));
  // The log is followed from this moment; a feed of each second comes after it, whatever the clocks say.
  await until("a push", async () => {
    await demo.accept("CAT", catalogue("DEMO", ["TEE-3"], new Date().toISOString()));
    return receiver.requests.length > 0;
  });
  const [push] = receiver.requests;
  assert.ok(push);
  const event = await verifyWebhook(secret, push.headers, push.body);
  assert.match(event.type, /^feed:/);
  await until("the line", () => output.includes(`${event.type} `));
  assert.match(output, /^feed:\w+ \S+: 200$/m);
  listener.kill("SIGINT");
  assert.equal(await new Promise((resolve) => listener.once("close", resolve)), 0);
});
