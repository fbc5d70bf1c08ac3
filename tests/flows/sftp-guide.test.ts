// docs/sftp.md: what a developer copies from the guide works, and the refusals that it names are those that are given.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { atEnd } from "../support/at-end.ts";
import { testServer } from "../support/server.ts";
import { withProgram } from "../support/sftp-server.ts";
import { opensshAbsence, type SftpPlace } from "../support/sftp-user.ts";
import { until } from "../support/webhooks.ts";

const guide = readFileSync(new URL("../../docs/sftp.md", import.meta.url), "utf8");
const steps = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, source = ""]) => source);
const commandLine = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

withProgram("the first order: the steps as they stand, one after the other", opensshAbsence, async () => {
  const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
  const { host, port } = server.sftp as SftpPlace;
  const client = await server.onboard("GUIDE");
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-guide-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    DATABASE_URL: server.config.database.url,
    CROSSDOCK_DATA_DIR: server.config.dataDir,
    CROSSDOCK_SECRET: server.config.secret,
    CROSSDOCK_TEST_COMMANDS: commandLine,
  };

  /** Runs steps in one shell that ends at the first command that fails; what it says on its standard output. */
  async function runSteps(...sources: readonly string[]): Promise<string> {
    const own = 'set -e\nnpx() { shift; node "$CROSSDOCK_TEST_COMMANDS" "$@"; }\n';
    const shell = spawn("sh", ["-c", own + sources.join("\n")], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [said, errors, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, "close")]);
    assert.equal(code, 0, `${said}\n${errors}`);
    return said;
  }

  const values: Record<string, string> = { HOST: host, SFTP_PORT: String(port), CLIENT: "GUIDE" };
  const [first = "", login = "", catalogue = "", order = "", ways = "", outbound = "", ...more] = steps;
  assert.deepEqual(more, []);
  // Every line of the first step is a value to be filled in, and no value is missing there.
  for (const name of Object.keys(values)) assert.match(first, new RegExp(`^${name}=`, "m"));
  const filled = first.replace(/^(\w+)=.*$/gm, (_, name: string) => `${name}='${values[name] ?? assert.fail(name)}'`);
  const shown = await runSteps(filled, login, catalogue, order, ways, order.replace("ORDER=WEB", "ORDER=NEXT"));
  assert.match(shown, /^user guide\.2$/m);
  assert.equal(shown.match(/<success>true<\/success><feedType>CAT</g)?.length, 1, shown);
  assert.equal(shown.match(/<success>true<\/success><feedType>NO</g)?.length, 2, shown);

  const waiting = () => server.rows("select from outbound_document where client_id = 'GUIDE' and type = 'OS' limit 9");
  await until(async () => (await waiting()).length === 2, "both orders are told of");
  // In another shell, as on another day: the key is there, and the login that goes with it.
  const again = login.replace(/^ssh-keygen.*$/m, "").replace(/^SFTP_USER=.*$/m, "SFTP_USER=guide.2");
  const batch = catalogue.slice(0, catalogue.indexOf("\n}\n") + 3);
  const taken = await runSteps(filled, again, batch, outbound);
  assert.match(
    taken,
    /^OS_\d{8}T\d{6}Z_[0-9a-f-]{36}\.xml$/m,
    "what came since the folder is a way of the type is there",
  );
  assert.match(taken, /^sftp> -rename /m);
  const left = await runSteps(
    filled,
    again,
    batch,
    "echo 'ls -1 /outbound/OS' | batch",
    "echo 'ls -1 /outbound/archive' | batch",
  );
  assert.equal(left.match(/OS_\d/g)?.length, 1, left);
  assert.equal(client.credentials.sftp.username, "guide");
});

test("the sentences of the table are those of the program, word for word", () => {
  const sources = globSync(["src/sftp/**/*.ts", "src/delivery/outbound/*.ts"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  const known = sources
    .join("\n")
    .replace(/\$\{bodyBytesMax\}/g, "20971520")
    .replace(/\$\{unjudgedMax\}/g, "10000")
    .replace(/\$\{archivePath\}/g, "/outbound/archive");
  const rows = [...guide.matchAll(/^\| (?:Failure|Permission denied|No such file|Unsupported) \| (.*?) \|/gm)];
  assert.ok(rows.length >= 14);
  for (const [, cell = ""] of rows) {
    for (const [, sentence = ""] of cell.matchAll(/`([^`]+)`/g)) {
      // What is filled in is left out in the guide, and so is what comes with it.
      for (const part of sentence.split("…")) assert.ok(known.includes(part), `${sentence}: ${part}`);
    }
  }
});
