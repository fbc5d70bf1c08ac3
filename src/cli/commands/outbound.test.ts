import assert from "node:assert/strict";
import { test } from "node:test";
import { readCommandLine } from "#/cli/call.ts";
import { outboundSet } from "#/cli/commands/outbound.ts";
import { commands } from "#/cli/commands.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { commandLine } from "../../../tests/support/app/cli.ts";
import { testServer } from "../../../tests/support/app/server.ts";
import { until } from "../../../tests/support/app/until.ts";
import { startReceiver } from "../../../tests/support/http/receiver.ts";
import { tellStatuses } from "../../../tests/support/webhooks/outbound-channels.ts";
import { list } from "../../../tests/support/webhooks/outbound-list.ts";

const server = await testServer();
const client = await server.onboard("ACME");
const receiver = await startReceiver();
atEnd(() => receiver.close());

const crossdock = commandLine(server);

const set = (...words: string[]) => crossdock(["outbound", "set", "ACME", ...words]);

interface SetJson {
  readonly clientId: string;
  readonly feeds: readonly {
    readonly type: string;
    readonly pull: boolean;
    readonly sftp: boolean;
    readonly push: { readonly webhookId: string; readonly status: string; readonly signingSecret?: string } | null;
  }[];
}

test("delivery methods are set for several types at once; a running server pushes, and a failed push is shown and resent", async () => {
  const push = ["--push", `${receiver.url}/os`, "--header", "X-Brand: one", "--header", "Authorization: Bearer a:b"];
  const made = await set("--type", "OS", "--type", "gr", ...push, "--pull", "--json");
  assert.equal(made.code, 0, made.stderr);
  const { clientId, feeds } = JSON.parse(made.stdout) as SetJson;
  assert.equal(clientId, "ACME");
  assert.deepEqual(
    feeds.map(({ type, pull, sftp, push }) => [type, pull, sftp, push?.status]),
    [
      ["OS", true, false, "ACTIVE"],
      ["GR", true, false, "ACTIVE"],
    ],
  );
  for (const feed of feeds) assert.match(feed.push?.signingSecret ?? "", /^whsec_/);
  assert.notEqual(feeds[0]?.push?.signingSecret, feeds[1]?.push?.signingSecret);

  receiver.answer = 410;
  await tellStatuses(server, "ACME", ["O-1"]);
  await receiver.waitFor(1);
  const { headers } = receiver.requests[0] ?? assert.fail();
  assert.deepEqual([headers["x-brand"], headers.authorization], ["one", "Bearer a:b"]);
  const show = async (...words: string[]) => {
    const { code, stdout, stderr } = await crossdock(["outbound", "show", "ACME", ...words]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const isDisabled = async () =>
    (await server.rows("select from webhook where topic_name = 'OS' and status = 'DISABLED'")).length === 1;
  await until("DISABLED", isDisabled);
  const shown = await show();
  assert.match(shown, /^TYPE +PULL +SFTP +PUSH +STATUS +PENDING +FAILURES/);
  assert.match(shown, /\nACK +yes +- +- +- +- /);
  assert.match(shown, new RegExp(`\nOS +yes +- +${receiver.url}/os +DISABLED +0 +1 +- +\\d{4}-`));
  const failed = /\n(\S+) +OS +O-1 +(\S+) +FAILED +1 +status: answered 410\n/.exec(shown);
  assert.ok(failed, shown);
  const [, deliveryId = "", messageId] = failed;
  assert.equal(messageId, headers["webhook-id"]);
  const { feeds: all } = JSON.parse(await show("--json")) as {
    feeds: { type: string; push: { undelivered: object[]; health: object } | null }[];
  };
  assert.deepEqual(
    all.filter(({ push }) => push !== null).map(({ type, push }) => [type, push?.undelivered.length]),
    [
      ["GR", 0],
      ["OS", 1],
    ],
  );

  const replay = () => crossdock(["webhook", "replay", deliveryId, "--client", "ACME"]);
  const early = await replay();
  assert.deepEqual(
    [early.code, early.stderr.trim()],
    [1, "crossdock: The push of OS is disabled: set it again first."],
  );
  receiver.answer = 200;
  const again = await set("--type", "OS", "--push", `${receiver.url}/os`);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stderr, /no one is notified when a push fails: crossdock client set ACME outboundEmailList=/);
  assert.match(again.stdout, new RegExp(`^TYPE.*\nOS +- +- +${receiver.url}/os +ACTIVE\n$`));
  const listed = await crossdock(["webhook", "list", "--client", "ACME"]);
  assert.match(listed.stdout, /\n\S+ +outbound OS +\* +ACTIVE /);
  assert.equal((await replay()).code, 0);
  await receiver.waitFor(2);
  assert.equal(receiver.requests[1]?.headers["webhook-id"], messageId);
  assert.equal(receiver.requests[1]?.headers["x-brand"], "one");
});

test("a header is removed by its name, a new secret is shown, and a delivery method that is left out ends", async () => {
  const url = `${receiver.url}/os`;
  const rotated = await set("--type", "OS", "--push", url, "--header", "x-brand:", "--new-secret");
  assert.match(rotated.stdout, /\nSigning secret, shown only now:\n {2}OS {2}whsec_\S+\n$/);
  const count = receiver.requests.length;
  await tellStatuses(server, "ACME", ["O-2"]);
  await receiver.waitFor(count + 1);
  const { headers } = receiver.requests[count] ?? assert.fail();
  assert.deepEqual([headers["x-brand"], headers.authorization], [undefined, "Bearer a:b"]);
  assert.equal(String(headers["webhook-signature"]).split(" ").length, 2);
  const ended = await set("--type", "OS", "--pull", "--sftp", "--json");
  const [feed] = (JSON.parse(ended.stdout) as SetJson).feeds;
  assert.deepEqual(feed, { type: "OS", pull: true, sftp: true, push: null });
  await tellStatuses(server, "ACME", ["O-3"]);
  await until("pulled", async () => (await list(client)).items.at(-1)?.objectId === "O-3");
  assert.equal(receiver.requests.length, count + 1);
});

test("a wrong call reports its errors and sets nothing", async () => {
  const misused: readonly (readonly [words: string, reason: RegExp])[] = [
    ["--type OS", /name at least one delivery method/],
    ["--pull", /--type/],
    ["--type SO --pull", /'SO' is no outbound feed; (?:did you mean|there are) /],
    ["--type OS --pull --header A:b", /--header and --new-secret need --push/],
    ["--type OS --pull --new-secret", /--header and --new-secret need --push/],
    ["--type OS --push https://example.com --header nocolon-hush", /--header takes 'NAME: VALUE'/],
    ["--type OS --push https://example.com --header A:hush --header A:hush", /--header A is given twice/],
  ];
  for (const [words, reason] of misused) {
    const typed = readCommandLine(commands, ["outbound", "set", "ACME", ...words.split(" ")]);
    const outcome = typed.ok && typed.value.kind === "call" ? await outboundSet(typed.value.call) : typed;
    assert.ok(!outcome.ok, words);
    assert.equal(outcome.fault.exitCode, 2);
    assert.match(outcome.fault.reason, reason);
    assert.doesNotMatch(outcome.fault.reason, /hush/);
  }
  const refused: readonly (readonly [words: readonly string[], reason: RegExp])[] = [
    [["--push", "https://u:p@example.com"], /--push must not have credentials; .*--header/],
    [["--push", "https://169.254.169.254/"], /--push names .*nothing is sent/],
    [
      ["--push", "https://example.com", "--header", "Host: x", "--header", "X: a\nb"],
      /--header Host .*\n.*--header X /,
    ],
  ];
  for (const [words, reason] of refused) {
    const { code, stderr } = await set("--type", "ACK", ...words);
    assert.equal(code, 1, stderr);
    assert.match(stderr, reason);
  }
  const plain = await crossdock(["outbound", "set", "ACME", "--type", "RS", "--push", "http://example.com/"], {
    CROSSDOCK_ENVIRONMENT: "staging",
    CROSSDOCK_GS1_PREFIX: "0614141",
  });
  assert.deepEqual([plain.code, /--push must begin with https/.test(plain.stderr)], [1, true], plain.stderr);
  for (const words of [
    ["set", "NOBODY", "--type", "OS", "--pull"],
    ["show", "NOBODY"],
  ]) {
    const nobody = await crossdock(["outbound", ...words]);
    assert.deepEqual([nobody.code, /there is no client 'NOBODY'/.test(nobody.stderr)], [1, true]);
  }
  const rows = await server.rows<{ type: string }>("select type from outbound_channel order by type");
  assert.deepEqual(rows, [{ type: "GR" }, { type: "OS" }]);
});
