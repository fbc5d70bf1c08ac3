// The output of `npm start` for a new user on a terminal, in a file and where it is the log, and `crossdock hello`.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DemoCredentials } from "#/sandbox/demo/greeting.ts";
import { makeDataDir, spawnProcess } from "../support/app/process.ts";
import { openTerminal } from "../support/app/terminal.ts";
import { until } from "../support/app/until.ts";

const programOf = (file: string) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url));

const environmentOf = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  CROSSDOCK_DATA_DIR: dataDir,
  PORT: "0",
  CROSSDOCK_SFTP_PORT: "off",
  CROSSDOCK_DEMO_HISTORY: "false",
  TERM: "xterm",
});

test("on a terminal the greeting comes last and begins with the way in; hello shows it again, and the same to a pipe", {
  timeout: 240_000,
}, async () => {
  const dataDir = makeDataDir();
  const env = environmentOf(dataDir);
  const server = openTerminal([process.execPath, programOf("main.ts")], { cwd: dataDir, env });
  await until("the greeting", () => server.screen().includes("Ctrl-C stops everything"), 200_000);
  const credentialsFile = path.join(dataDir, "demo-credentials.json");
  const demo = JSON.parse(readFileSync(credentialsFile, "utf8")) as DemoCredentials;
  const secrets = [demo.feed.apiKey, demo.oauth.client_secret, demo.console?.password ?? assert.fail("no user")];
  const logFile = path.join(dataDir, "crossdock.log");

  for (const step of ["starting PostgreSQL", "creating the demo", "building the console"])
    assert.ok(server.output().includes(`${step} …`), step);
  const [starts = "", ...screen] = server
    .screen()
    .split("\n")
    .filter((line) => line !== "");
  assert.match(starts, /^Crossdock starts; .* Its log is /);
  assert.ok(starts.endsWith(logFile), starts);
  assert.match(screen[0] ?? "", /^Open http:\/\/127\.0\.0\.1:\d+\/console — admin \/ \S+$/);
  assert.ok(screen[0]?.endsWith(` / ${demo.console?.password}`));
  assert.match(screen.at(-1) ?? "", /^ {2}Ctrl-C stops everything\. `npx crossdock hello`/);
  for (const secret of secrets) assert.ok(server.screen().includes(secret));
  assert.match(readFileSync(logFile, "utf8"), /the schema was migrated/);
  assert.deepEqual(
    [logFile, credentialsFile].map((file) => statSync(file).mode & 0o777),
    [0o600, 0o600],
  );

  const hello = openTerminal([process.execPath, programOf("cli/main.ts"), "hello"], { cwd: dataDir, env });
  assert.equal(await hello.ended, 0, hello.screen());
  // All lines except the one about Ctrl-C.
  assert.deepEqual(
    hello
      .screen()
      .split("\n")
      .filter((line) => line !== ""),
    screen.slice(0, -1),
  );
  const toPipe = (...words: string[]) =>
    promisify(execFile)(process.execPath, [programOf("cli/main.ts"), "hello", ...words], { cwd: dataDir, env });
  const { stdout } = await toPipe();
  assert.deepEqual(
    stdout.split("\n").filter((line) => line !== ""),
    screen.slice(0, -1),
  );
  const { stdout: json } = await toPipe("--json");
  assert.equal((JSON.parse(json) as { credentialsFile: string }).credentialsFile, credentialsFile);
  for (const secret of secrets) assert.ok(!json.includes(secret));

  server.type("\x03");
  assert.equal(await server.ended, 0, server.screen());
  await assert.rejects(toPipe(), /no server answers at http:\S+ start it with npm start/);
});

test("a start into a file has the greeting in it, whose commands run, and the log in its file", {
  timeout: 240_000,
}, async () => {
  const dataDir = makeDataDir();
  const output = path.join(dataDir, "output");
  const file = openSync(output, "w");
  const child = spawn(process.execPath, [programOf("main.ts")], {
    cwd: dataDir,
    env: environmentOf(dataDir),
    stdio: ["ignore", file, file],
  });
  const ended = once(child, "exit");
  closeSync(file);
  const read = () => readFileSync(output, "utf8");
  await until("the greeting", () => read().includes("Ctrl-C stops everything"), 200_000);
  assert.ok(!read().includes('"level":') && !read().includes("\u001b"), read());
  const demo = JSON.parse(readFileSync(path.join(dataDir, "demo-credentials.json"), "utf8")) as DemoCredentials;
  assert.ok(read().includes(`/console — admin / ${demo.console?.password}\n`), read());
  assert.match(readFileSync(path.join(dataDir, "crossdock.log"), "utf8"), /ready/);

  const commands = read().match(/^curl .*$/gm) ?? [];
  assert.equal(commands.length, 3);
  const answers: string[] = [];
  for (const command of commands) answers.push((await promisify(execFile)("bash", ["-c", command])).stdout);
  assert.match(answers[0] ?? "", /<success>true<.*<feedType>CAT</);
  assert.match(answers[1] ?? "", /<success>true<.*<objectId>WEB-\d+</);
  assert.match(answers[2] ?? "", /"orderId":"WEB-\d+"/);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});

test("standard output has log lines only where it takes the log", { timeout: 240_000 }, async () => {
  const node = await spawnProcess(makeDataDir()).ready();
  const lines = node.output().trimEnd().split("\n");
  for (const line of lines) assert.equal(typeof (JSON.parse(line) as { msg: string }).msg, "string", line);
  assert.ok(lines.some((line) => line.includes('"msg":"ready"')));
  await node.stop("SIGTERM");
});
