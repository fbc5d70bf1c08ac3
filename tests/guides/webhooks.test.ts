// docs/webhooks.md: the code that a receiver's developer copies from the guide works, against a real server and real
// pushes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { topics } from "#/delivery/webhooks/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { freePort } from "../support/app/free-port.ts";
import { runProgram, startProgram } from "../support/app/program.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { type ReceivedRequest, startReceiver } from "../support/http/receiver.ts";
import { webhookCalls } from "../support/http/webhook-calls.ts";
import { tellEvents } from "../support/webhooks/webhooks.ts";
import { fencesOf, isToBeProved, readPage } from "./fences.ts";
import { validateJson } from "./shown-data.ts";
import { guideFolder } from "./walk.ts";

const guide = readPage("docs/webhooks.md");
const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "1" });

const fences = fencesOf("docs/webhooks.md").filter(isToBeProved);

/** The files of the guide, in a folder that contains the packages of this repository. */
const folder = guideFolder();
for (const { name, source } of fences) if (name !== undefined) writeFileSync(path.join(folder, name), source);

/** The standard output of a program, which must exit with 0. */
async function outputOf(command: string, args: readonly string[], input = ""): Promise<string> {
  const { code, stdout, stderr } = await runProgram([command, ...args], { cwd: folder, input });
  assert.equal(code, 0, stderr);
  return stdout;
}

function isThere(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("every program of the guide has a name, and what it shows of a push is as the catalogue says", () => {
  const programs = fences.filter(({ language }) => language !== "sh" && language !== "json");
  for (const { line, name } of programs) assert.notEqual(name, undefined, `line ${line}`);
  assert.deepEqual([...new Set(programs.map(({ language }) => language))].sort(), [
    ...["csharp", "java", "js", "python", "ts"],
  ]);
  const shown = fences.filter(({ language }) => language === "json");
  assert.ok(shown.length > 0);
  for (const fence of shown) validateJson(fence);
});

/** A shell with input as a reader types it: the next step when the previous one has printed the expected text. */
function openShell() {
  // A snippet that calls `node` gets the one on the path.
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };
  const shell = startProgram(["sh"], { cwd: folder, env, detached: true, input: null });
  return {
    async type(source: string, ...expected: readonly RegExp[]): Promise<void> {
      const from = shell.stdout().length;
      shell.child.stdin.write(`${source}\necho\n`);
      const missing = () => expected.filter((pattern) => !pattern.test(shell.stdout().slice(from)));
      await until(`${missing().join()} after ${source}`, () => missing().length === 0, 60_000).catch((error: Error) => {
        throw new Error(`${error.message}\n${shell.stdout().slice(from)}\n${shell.stderr()}`);
      });
    },
    errors: shell.stderr,
  };
}

test("the first webhook: the unchanged steps, one after the other, in one shell", async () => {
  const { clientId, feed, oauth } = (await server.onboard("GUIDE")).credentials;
  const values: Record<string, string> = {
    BASE: server.url,
    CLIENT: clientId,
    KEY: feed.apiKey,
    CLIENT_ID: oauth.client_id,
    CLIENT_SECRET: oauth.client_secret,
    HOOK_PORT: String(await freePort()),
  };
  const { type, errors } = openShell();
  const [first = "", ...steps] = fences.filter(({ language }) => language === "sh").map(({ source }) => source);
  // Every line of the first step is a placeholder for a value, and no value is missing there.
  for (const name of Object.keys(values)) assert.match(first, new RegExp(`^${name}=`, "m"));
  await type(first.replace(/^(\w+)=.*$/gm, (_, name: string) => `${name}='${values[name] ?? assert.fail(name)}'`));
  // The receiver and the shell commands write concurrently, so that no expected text needs a separate line.
  const expected: readonly (readonly RegExp[])[] = [
    [/"signingSecret":"whsec_[^*"]+"/],
    [/webhook:test webhook [0-9a-f-]{36}/, /"isDelivered":true/],
    [/<success>true</, /feed:accepted feed \S+/, /feed:processed feed \S+/],
    [/\{"items":\[\],"nextCursor":null\}/],
    [/\{"items":\[\],"nextCursor":null\}/, /"scheduled":0/],
    [/"topicName":"order:\*","additionalTopicNames":\["parcel:load","return:\*"\]/],
    [/"isPaused":1,"status":"PAUSED"/, /"isPaused":0,"status":"ACTIVE"/],
    [/"signingSecret":"whsec_[^*"]+"/],
  ];
  assert.equal(steps.length, expected.length);
  for (const [i, step] of steps.entries()) await type(step, ...(expected[i] ?? []));
  await type("kill $! && wait; echo it has ended", /it has ended/);
  assert.equal(errors(), "");
});

interface Push {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const pushOf = ({ headers, body }: ReceivedRequest): Push => ({ headers: headers as Record<string, string>, body });

/** Captured pushes: one with the first secret, one during its rotation. */
async function realPushes() {
  const client = await server.onboard("VERIFIER");
  const calls = webhookCalls(server.url, client);
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const { webhookId, signingSecret } = await calls.create({ url: receiver.url, topicName: "*" });
  await tellEvents(server, "VERIFIER", ["Straße 世界"]);
  await receiver.waitFor(1);
  const { body } = await calls.call("POST", `/webhook/rotateSecret/${webhookId}`);
  await tellEvents(server, "VERIFIER", ["O-2"]);
  await receiver.waitFor(2);
  const [before, during] = receiver.requests.map(pushOf) as [Push, Push];
  return { before, during, old: String(signingSecret), renewed: String(body.signingSecret) };
}

interface Verified extends Push {
  readonly what: string;
  readonly secret: string;
  readonly isGenuine: boolean;
}

async function verifiedPushes(): Promise<Verified[]> {
  const { before, during, old, renewed } = await realPushes();
  const changed = (push: Push, name: string, value: string): Push => ({
    ...push,
    headers: { ...push.headers, [name]: value },
  });
  const without = (push: Push, name: string): Push => ({
    ...push,
    headers: Object.fromEntries(Object.entries(push.headers).filter(([other]) => other !== name)),
  });
  const signature = during.headers["webhook-signature"] ?? "";
  assert.equal(signature.split(" ").length, 2);
  const cases: [string, string, Push, boolean][] = [
    ["as it came", old, before, true],
    ["the old secret while it is rotated", old, during, true],
    ["the new secret while it is rotated", renewed, during, true],
    ["the new secret before", renewed, before, false],
    ["another body", old, { ...before, body: Buffer.concat([before.body, Buffer.from(" ")]) }, false],
    ["another id", old, changed(before, "webhook-id", "evt_1"), false],
    [
      "another moment",
      old,
      changed(before, "webhook-timestamp", String(Number(before.headers["webhook-timestamp"]) + 1)),
      false,
    ],
    ["a moment long ago", old, changed(before, "webhook-timestamp", "1700000000"), false],
    ["a moment that is none", old, changed(before, "webhook-timestamp", "now"), false],
    ["an empty signature", old, changed(before, "webhook-signature", ""), false],
    [
      "a signature of another version",
      old,
      changed(before, "webhook-signature", (before.headers["webhook-signature"] ?? "").replace("v1,", "v2,")),
      false,
    ],
    ["a signature with other letters", old, changed(before, "webhook-signature", "v1,é"), false],
    ["no id", old, without(before, "webhook-id"), false],
    ["not a valid time", old, without(before, "webhook-timestamp"), false],
    ["no signature", old, without(before, "webhook-signature"), false],
  ];
  return cases.map(([what, secret, push, isGenuine]) => ({ ...push, what, secret, isGenuine }));
}

const verified = await verifiedPushes();
/** A line for each push: secret, id, moment, signatures and body, as base64; an empty field is a missing header. */
const lines = verified.map(({ secret, headers, body }) => {
  const fields = [secret, headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"]];
  return [
    ...fields.map((field) => (field === undefined ? "-" : Buffer.from(field).toString("base64"))),
    body.toString("base64"),
  ].join(";");
});
const expected = verified.map(({ what, isGenuine }) => `${isGenuine} ${what}`);
const withNames = (output: string) =>
  output
    .trim()
    .split("\n")
    .map((verdict, i) => `${verdict.trim().toLowerCase()} ${verified[i]?.what}`);

test("TypeScript, with the library: genuine pushes are read, others throw", async () => {
  const { readPush } = (await import(path.join(folder, "verify-with-library.ts"))) as {
    readPush(secret: string, headers: Record<string, string>, body: Buffer): { id: string };
  };
  for (const { what, secret, headers, body, isGenuine } of verified) {
    if (isGenuine) assert.equal(readPush(secret, headers, body).id, headers["webhook-id"], what);
    else assert.throws(() => readPush(secret, headers, body), what);
  }
});

test("TypeScript, by hand: genuine pushes are distinguished from others", async () => {
  const { isGenuine } = (await import(path.join(folder, "verify.ts"))) as {
    isGenuine(secret: string, headers: Record<string, string>, body: Buffer): boolean;
  };
  assert.deepEqual(
    verified.map(({ what, secret, headers, body }) => `${isGenuine(secret, headers, body)} ${what}`),
    expected,
  );
});

/** Languages that this machine may lack; their snippets run if it has them. */
const others = [
  {
    language: "Python",
    isThere: () => isThere("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"),
    run: (input: string) =>
      outputOf(
        "python3",
        [
          "-c",
          `import sys, base64
sys.dont_write_bytecode = True
from verify import is_genuine
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
for line in sys.stdin:
    secret, *values, body = [None if f == "-" else base64.b64decode(f) for f in line.strip().split(";")]
    headers = {n: v.decode() for n, v in zip(names, values) if v is not None}
    print(is_genuine(secret.decode(), headers, body))`,
        ],
        input,
      ),
  },
  {
    language: "Java",
    isThere: () => isThere("javac", "--release", "11", "--version"),
    run: async (input: string) => {
      writeFileSync(
        path.join(folder, "Judge.java"),
        `import java.util.*;
import java.nio.charset.StandardCharsets;
public class Judge {
  static byte[] bytes(String field) { return field.equals("-") ? null : Base64.getDecoder().decode(field); }
  static String text(String field) { return field.equals("-") ? null : new String(bytes(field), StandardCharsets.UTF_8); }
  public static void main(String[] args) throws Exception {
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] f = lines.nextLine().split(";", -1);
      System.out.println(WebhookSignature.isGenuine(text(f[0]), text(f[1]), text(f[2]), text(f[3]), bytes(f[4])));
    }
  }
}
`,
      );
      await outputOf("javac", ["--release", "11", "-Xlint:-options", "WebhookSignature.java", "Judge.java"]);
      return outputOf("java", ["-cp", ".", "Judge"], input);
    },
  },
  {
    language: "C#",
    isThere: () => isThere("mcs", "--version") && isThere("mono", "--version"),
    run: async (input: string) => {
      writeFileSync(
        path.join(folder, "Judge.cs"),
        `using System;
using System.Text;
public static class JudgeProgram {
  static byte[] Bytes(string field) { return field == "-" ? null : Convert.FromBase64String(field); }
  static string Words(string field) { var bytes = Bytes(field); return bytes == null ? null : Encoding.UTF8.GetString(bytes); }
  public static void Main() {
    string line;
    while ((line = Console.ReadLine()) != null) {
      var f = line.Split(';');
      Console.WriteLine(WebhookSignature.IsGenuine(Words(f[0]), Words(f[1]), Words(f[2]), Words(f[3]), Bytes(f[4])));
    }
  }
}
`,
      );
      await outputOf("mcs", [
        "-langversion:latest",
        "-r:System.Core",
        "-out:Judge.exe",
        "WebhookSignature.cs",
        "Judge.cs",
      ]);
      return outputOf("mono", ["Judge.exe"], input);
    },
  },
];
for (const { language, isThere: isInstalled, run } of others) {
  test(`${language}: genuine pushes are distinguished from others`, async (context) => {
    if (!isInstalled()) {
      context.diagnostic(`LEFT OUT: no push was verified in ${language}, because its programs are not on the PATH`);
      assert.equal(process.env.CI, undefined, `under CI nothing is left out, and ${language} is missing`);
      return;
    }
    assert.deepEqual(withNames(await run(`${lines.join("\n")}\n`)), expected);
  });
}

test("the event log is read to its end, and on from the cursor that was kept; its ids are those of the pushes", async () => {
  const { readEvents } = (await import(path.join(folder, "read-events.ts"))) as {
    readEvents(
      base: string,
      token: string,
      cursor: string | undefined,
      take: (event: { id: string; objectId: string }) => Promise<void>,
    ): Promise<string>;
  };
  const client = await server.onboard("READER");
  const token = await accessTokenOf(server.url, client.credentials.oauth);
  const objectIds = Array.from({ length: 1_001 }, (_, i) => `O-${i}`);
  await tellEvents(server, "READER", objectIds);
  const published = async () =>
    (await server.rows("select client_id from outbox where client_id = 'READER'")).length === 0;
  await until("published", published);
  const seen: string[] = [];
  const take = async ({ objectId }: { objectId: string }) => void seen.push(objectId);
  const cursor = await readEvents(server.url, token, undefined, take);
  assert.deepEqual(seen, objectIds);
  assert.equal(await readEvents(server.url, token, cursor, take), cursor);
  await tellEvents(server, "READER", ["O-late"]);
  await until("published", published);
  await readEvents(server.url, token, cursor, take);
  assert.deepEqual(seen.slice(objectIds.length), ["O-late"]);
  await assert.rejects(readEvents(server.url, "no token", undefined, take), /401/);
});

test("what the guide names is there: topics, operations, error classes, states", async () => {
  const names = new Set(topics.map(({ topicName }) => topicName));
  for (const [, topicName = ""] of guide.matchAll(/`((?:order|parcel|feed|webhook|stock|inventory):\w+)`/g)) {
    assert.ok(names.has(topicName), topicName);
  }
  const document = (await (await fetch(`${server.url}/openapi/webhook.json`)).json()) as {
    paths: Record<string, object>;
  };
  const operations = Object.entries(document.paths).flatMap(([at, path]) =>
    Object.keys(path).map((method) => `${method.toUpperCase()} ${at.replace("/v1/webhookService", "")}`),
  );
  const named = [...guide.matchAll(/`((?:GET|POST|PATCH|DELETE) \/[^`]+)`/g)].map(([, operation = ""]) => operation);
  assert.ok(named.length > 10);
  for (const operation of named) assert.ok(operations.includes(operation), operation);
});
