// The published collections: newman runs that of Postman against a server, and Bruno's parser reads the files of the other:
// `npm run test:judges`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { server, startSimulation, stockLot, variablesOf } from "../flows/journeys/journey-server.ts";
import { atEnd } from "../support/app/at-end.ts";
import { startProgram } from "../support/app/program.ts";
import { brunoParser, newman } from "./judges.ts";
import { isLeftOut } from "./left-out.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-judge-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

async function download(file: string): Promise<string> {
  const answer = await fetch(`${server.url}/collections/${file}`);
  assert.equal(answer.status, 200);
  const place = path.join(folder, file);
  writeFileSync(place, Buffer.from(await answer.arrayBuffer()));
  return place;
}

test("newman runs every request of the Postman collection", async (context) => {
  if (isLeftOut(context, newman())) return;
  await stockLot();
  await startSimulation();
  const values = Object.entries(variablesOf("1")).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
  const collection = await download("crossdock.postman_collection.json");
  const { code, stdout, stderr } = await startProgram([
    ...[process.execPath, newman(), "run", collection, ...values],
    ...["--timeout-script", "30000", "--color", "off"],
  ]).ended;
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  context.diagnostic(/assertions .*/.exec(stdout)?.[0] ?? "");
});

test("Bruno's parser reads every file of its collection", async (context) => {
  if (isLeftOut(context, brunoParser())) return;
  const archive = await download("crossdock.bruno.zip");
  const files = path.join(folder, "bruno");
  execFileSync("python3", ["-m", "zipfile", "-e", archive, files]);
  const { bruToJsonV2, collectionBruToJson, bruToEnvJsonV2 } = createRequire(import.meta.url)(brunoParser());
  const names = readdirSync(files, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".bru"));
  for (const name of names) {
    const text = readFileSync(path.join(files, name), "utf8");
    if (name.startsWith("environments")) bruToEnvJsonV2(text);
    else if (/(?:collection|folder)\.bru$/.test(name)) collectionBruToJson(text);
    else {
      const { meta, http } = bruToJsonV2(text);
      assert.equal(meta.type, "http", name);
      assert.match(http.url, /^\{\{(?:base|auth)Url\}\}\/v1\//, name);
    }
  }
  context.diagnostic(`${names.length} files`);
});
