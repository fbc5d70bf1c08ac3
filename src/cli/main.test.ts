import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { changeChannel } from "#/modules/clients/index.ts";
import { processesIn } from "#/store/db/embedded/process-table.ts";
import { sql } from "#/store/db/sql.ts";
import { listen } from "#/store/db/store/listener.ts";
import { atEnd } from "../../tests/support/app/at-end.ts";
import { type Program, startProgram } from "../../tests/support/app/program.ts";
import { until } from "../../tests/support/app/until.ts";
import { testDatabase } from "../../tests/support/postgres/database.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { url, database } = await testDatabase();

let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "crossdock cli-"));
  await chmod(folder, 0o755);
});

atEnd(async () => {
  await rm(folder, { recursive: true, force: true });
});

const start = (words: readonly string[], more: Record<string, string> = {}) => {
  const { CROSSDOCK_TEST_POSTGRES_URL: _, ...known } = process.env;
  const ours = { DATABASE_URL: url, INIT_CWD: folder, CROSSDOCK_DATA_DIR: path.join(folder, "data") };
  return startProgram([process.execPath, "src/cli/main.ts", ...words], {
    cwd: root,
    env: { ...known, ...ours, ...more },
  });
};

/** A signal while Node ends its process ends it by that signal: to a shell, the same as the exit code. */
async function endOf({ ended }: Program) {
  const { code, signal, stdout, stderr } = await ended;
  return { code: code ?? 128 + constants.signals[signal as NodeJS.Signals], stdout, stderr };
}

const crossdock = (line: string, more: Record<string, string> = {}) => endOf(start(line.split(" "), more));

async function json(line: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await crossdock(`${line} --json`);
  assert.deepEqual([code, stderr], [0, ""], line);
  assert.equal(stdout.trim().split("\n").length, 1, "one line of JSON");
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The names and types of an object's values. */
function shape(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shape(part)]));
}

test("onboarding prints exactly the JSON of the contract, and takes effect in running servers", async () => {
  const notices: string[] = [];
  const listener = listen(
    url,
    [changeChannel],
    (channel) => notices.push(channel),
    () => {},
  );
  // The first notice shows that the listener is connected.
  await until("the command to wait", async () => notices.length > 0);
  await json("facility create DC1 --name London --country GB --timezone Europe/London");
  const acme = await json("client create ACME");
  assert.deepEqual(shape(acme), {
    clientId: "string",
    feed: { apiKey: "string" },
    oauth: { client_id: "string", client_secret: "string" },
    sftp: { username: "string", password: "string" },
  });
  assert.deepEqual(Object.keys(acme), ["clientId", "feed", "oauth", "sftp"]);
  assert.equal((acme.sftp as { username: string }).username, "acme");
  const issued = await json("credentials issue ACME --kind feed");
  assert.deepEqual(shape(issued), { credentialId: "string", feed: { apiKey: "string" } });
  assert.deepEqual(shape(await json("warehouse create DC1")), {
    facilityCode: "string",
    oauth: { client_id: "string", client_secret: "string" },
  });
  assert.deepEqual(shape(await json("carrier-account create RM")), {
    carrierCode: "string",
    oauth: { client_id: "string", client_secret: "string" },
  });
  assert.deepEqual(shape(await json("user create anna --role viewer")), { username: "string", password: "string" });
  await until("the command to wait", async () => notices.length > 5);
  await listener.stop();

  const [line] = await database.query<{ actor: string; action: string }>(
    sql`select actor, action from audit_log where client_id = 'ACME' order by audit_id limit 1`,
  );
  assert.match(line?.actor ?? "", /^cli:.+/);
  assert.equal(line?.action, "create");
});

test("console users are limited, suspended and given new passwords", async () => {
  await json("client create LIMITS");
  await json("user create berta --role operator --client LIMITS --facility DC1");
  const changed = await json("user set Berta --role viewer --client all --suspend");
  assert.deepEqual(
    [changed.role, changed.clientIds, changed.facilityCodes, changed.isSuspended],
    ["viewer", null, ["DC1"], true],
  );
  assert.deepEqual(shape(await json("user password berta")), { username: "string", password: "string" });
  assert.deepEqual(shape(await json("user reset-factors berta")), { username: "string" });
  const { stdout } = await crossdock("user list");
  assert.match(stdout, /^berta +viewer +all +DC1 +SUSPENDED +password +never$/m);
  assert.equal((await crossdock("user set nobody --resume")).code, 1);
  assert.equal((await crossdock("user create carl --role viewer --client NOBODY")).code, 1);
  for (const usage of ["user set berta", "user set berta --suspend --resume"]) {
    assert.equal((await crossdock(usage)).code, 2, usage);
  }
});

test("settings and suspension show in the client", async () => {
  await json("client create SETS");
  await json("client set SETS rejectedFeedStatus=422 parkUnknownSkus=true");
  await json("client suspend SETS");
  const { status, settings, overrides, facilities } = await json("client show SETS");
  assert.deepEqual([status, overrides, facilities], ["SUSPENDED", ["parkUnknownSkus", "rejectedFeedStatus"], ["DC1"]]);
  assert.deepEqual([(settings as { rejectedFeedStatus: number }).rejectedFeedStatus], [422]);
  const { stdout } = await crossdock("client list");
  assert.match(stdout, /^SETS +SUSPENDED +DC1 /m);
});

test("the exit code is 1 for a refusal with its reason on standard error, 2 for wrong usage, 0 for help", async () => {
  const [refused, misused, help] = await Promise.all([
    crossdock("client show NOBODY --json"),
    crossdock("client shwo NOBODY"),
    crossdock("client create --help"),
  ]);
  assert.deepEqual(refused, { code: 1, stdout: "", stderr: "crossdock: there is no client 'NOBODY'\n" });
  assert.equal(misused.code, 2);
  assert.match(misused.stderr, /did you mean 'client show'\?/);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: crossdock client create ID \[--name NAME\] \[--facility CODE\]…/);
});

test("a wrong environment is refused with every problem in it", async () => {
  const { code, stderr } = await crossdock("client list", { PORT: "x", CROSSDOCK_ROLS: "api" });
  assert.equal(code, 1);
  assert.match(stderr, /PORT=x: expected/);
  assert.match(stderr, /CROSSDOCK_ROLS: is not a setting of Crossdock; did you mean CROSSDOCK_ROLES\?/);
});

test("a file is validated, sent and found by its token, with the caller's file name", async () => {
  await json("client create FEED");
  await writeFile(
    path.join(folder, "CAT.xml"),
    `<itemMaster><clientId>FEED</clientId><date>2026-11-20T10:00:00Z</date><item><sku>A</sku><name>A</name></item></itemMaster>`,
  );
  const validated = await crossdock("feed validate CAT.xml --type CAT");
  assert.deepEqual(validated, { code: 0, stdout: "CAT A would be accepted.\n", stderr: "" });
  const sent = await json("feed send CAT.xml --client FEED --type CAT");
  assert.equal(sent.success, true);
  const shown = await json(`feed show ${sent.token}`);
  assert.deepEqual([shown.clientId, shown.feedType, shown.channel], ["FEED", "CAT", "CLI"]);

  const rejected = await crossdock("feed send CAT.xml --client ACME --type CAT");
  assert.equal(rejected.code, 1);
  assert.match(rejected.stdout, /^CAT A is rejected\.\n {2}\[CLIENT\] [^\n]+\nToken [0-9a-f-]{36}\n$/);
  assert.equal(rejected.stderr, "crossdock: the document is rejected: 1 error\n");
  const { code, stderr } = await crossdock("feed send nothing.xml --client FEED --type CAT");
  assert.deepEqual([code, stderr], [1, `crossdock: ${path.join(folder, "nothing.xml")} does not exist\n`]);
});

test("Ctrl-C ends a waiting command, pressed once or twice", async () => {
  // The holder of this lock migrates; the command waits for it.
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  try {
    await blocker.query("select pg_advisory_lock(7233042026)");
    // At once, and when the program is already about to end.
    for (const apartMs of [0, 2, 8]) {
      const command = start(["migrate"]);
      await until("the command to wait", async () => {
        const { rows } = await blocker.query(
          "select from pg_stat_activity where application_name = 'crossdock schema' and datname = current_database()",
        );
        return rows.length > 0;
      });
      command.child.kill("SIGINT");
      await new Promise((resolve) => setTimeout(resolve, apartMs));
      command.child.kill("SIGINT");
      assert.deepEqual(await endOf(command), { code: 130, stdout: "", stderr: "" });
    }
  } finally {
    await blocker.end();
  }
});

test("without a server the embedded database is started, migrated, and stopped again", async () => {
  const data = path.join(folder, "fresh data");
  const { code, stdout, stderr } = await crossdock("client create NEW", { DATABASE_URL: "", CROSSDOCK_DATA_DIR: data });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Client NEW is created, with facilities \(none\)/);
  assert.match(stderr, /^no facility exists yet/);
  assert.deepEqual(processesIn(path.join(data, "postgres")), []);
});
