// docs/sftp.md: the code that a developer copies from the guide works, and the documented refusals match the program.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { withProgram } from "../support/sftp/openssh.ts";
import { opensshAbsence, type SftpPlace } from "../support/sftp/user.ts";
import { type Fence, fencesOf, isToBeProved, readPage } from "./fences.ts";
import { environmentOf, fill, guideFolder, guideShell } from "./walk.ts";

const guide = readPage("docs/sftp.md");
const steps = fencesOf("docs/sftp.md").filter(isToBeProved);

withProgram("the first order: the steps as they stand, one after the other", opensshAbsence, async () => {
  const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
  const { host, port } = server.sftp as SftpPlace;
  const client = await server.onboard("GUIDE");
  const folder = guideFolder();

  /** Runs steps in one shell that exits at the first failing command. @returns its output */
  async function runSteps(...sources: readonly string[]): Promise<string> {
    const shell = await guideShell(folder, environmentOf(server));
    const { seen, code } = await shell.type(`set -e\n${sources.join("\n")}`);
    await shell.end();
    assert.equal(code, 0, seen);
    return seen;
  }

  const values: Record<string, string> = {
    HOST: host,
    SFTP_PORT: String(port),
    CLIENT: "GUIDE",
    EXCHANGE: `${folder}/exchange`,
  };
  const [place, ...sources] = steps;
  const [login = "", catalogue = "", order = "", ways = "", outbound = "", ...more] = sources.map(
    (source) => source.source,
  );
  assert.deepEqual(more, []);
  const filled = fill(place as Fence, values);
  const waiting = () => server.rows("select from outbound_document where client_id = 'GUIDE' and type = 'OS' limit 9");
  // In another shell, as on another day: the key and its login exist.
  const again = login.replace(/^ssh-keygen.*$/m, "").replace(/^SFTP_USER=.*$/m, "SFTP_USER=guide.2");
  const batch = catalogue.slice(0, catalogue.indexOf("\n}\n") + 3);
  const first = await runSteps(filled, login, catalogue, order);
  await until("the first order is reported before there is a folder", async () => (await waiting()).length === 1);
  const next = await runSteps(filled, again, batch, ways, order.replace("ORDER=WEB", "ORDER=NEXT"));
  const shown = first + next;
  assert.match(shown, /^user guide\.2$/m);
  assert.equal(shown.match(/<success>true<\/success><feedType>CAT</g)?.length, 1, shown);
  assert.equal(shown.match(/<success>true<\/success><feedType>NO</g)?.length, 2, shown);

  await until("both orders are reported", async () => (await waiting()).length === 2);
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
  const sources = globSync(["src/intake/sftp/**/*.ts", "src/delivery/outbound/*.ts"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  const known = sources
    .join("\n")
    .replace(/\$\{bodyBytesMax\}/g, "20971520")
    .replace(/\$\{unprocessedMax\}/g, "10000")
    .replace(/\$\{archivePath\}/g, "/outbound/archive");
  const rows = [...guide.matchAll(/^\| (?:Failure|Permission denied|No such file|Unsupported) \| (.*?) \|/gm)];
  assert.ok(rows.length >= 14);
  for (const [, cell = ""] of rows) {
    for (const [, sentence = ""] of cell.matchAll(/`([^`]+)`/g)) {
      // The guide replaces variable parts with `…`.
      for (const part of sentence.split("…")) assert.ok(known.includes(part), `${sentence}: ${part}`);
    }
  }
});
