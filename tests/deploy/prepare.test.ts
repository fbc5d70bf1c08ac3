import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import { readCompose } from "./compose-file.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock prepare "));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A machine without any preparation; its path contains a space. */
function machine(name: string) {
  const place = path.join(folder, name);
  mkdirSync(path.join(place, "deploy"), { recursive: true });
  for (const file of ["prepare.sh", "crossdock.env.example"]) {
    cpSync(path.join(project, "deploy/compose", file), path.join(place, "deploy/compose", file));
  }
  return {
    place,
    prepare: (...words: string[]) =>
      spawnSync(path.join(place, "deploy/compose/prepare.sh"), words, {
        cwd: place,
        encoding: "utf8",
        timeout: 60_000,
      }),
    read: (file: string) => readFileSync(path.join(place, file), "utf8"),
  };
}

test("prepare.sh creates the files that compose.yaml and the program need for production", () => {
  const { place, prepare, read } = machine("fresh");
  const { status, stderr } = prepare("https://crossdock.example.org:8443/", "95011015");
  assert.equal(`${status}${stderr}`, "0");
  for (const { file } of Object.values(readCompose().secrets)) assert.ok(read(file).length >= 64, file);
  assert.equal(
    new Set(["crossdock_secret", "database_password", "postgres_password", "backup_password"].map(secretOf)).size,
    4,
  );
  assert.equal(
    secretOf("database_url"),
    `postgres://crossdock:${secretOf("database_password")}@postgres:5432/crossdock`,
  );
  assert.equal(secretOf("backup_url"), `postgres://backup:${secretOf("backup_password")}@postgres:5432/postgres`);
  // The folder is closed; the users of the containers read the files in it.
  assert.equal(statSync(path.join(place, "deploy/compose/secrets")).mode & 0o777, 0o700);
  assert.equal(statSync(path.join(place, "deploy/compose/secrets/database_url")).mode & 0o777, 0o644);

  const texts = Object.fromEntries(
    read("deploy/compose/crossdock.env")
      .split("\n")
      .filter((line) => /^\w/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
  const loaded = loadConfig(
    { ...texts, DATABASE_URL: secretOf("database_url"), CROSSDOCK_SECRET: secretOf("crossdock_secret") },
    {
      cwd: place,
      readFile() {
        throw Object.assign(new Error("none"), { code: "ENOENT" });
      },
    },
  );
  const config = loaded.ok ? loaded.value : assert.fail(describeConfigFaults(loaded.fault));
  assert.deepEqual(
    [config.environment, config.http.baseUrl, config.http.authUrl, config.http.feedUrl, config.gs1Prefix],
    ["production", ...Array(3).fill("https://crossdock.example.org:8443"), "95011015"],
  );

  function secretOf(name: string): string {
    return read(`deploy/compose/secrets/${name}`);
  }
});

test("a second run keeps every secret and every setting", () => {
  const { place, prepare, read } = machine("again");
  prepare("https://one.example", "0614141");
  const names = readdirSync(path.join(place, "deploy/compose/secrets")).map((name) => `deploy/compose/secrets/${name}`);
  const all = () => [...names, "deploy/compose/crossdock.env"].map(read);
  const before = all();
  const { status, stdout } = prepare("https://two.example", "0614142");
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /^made/m);
  assert.equal(stdout.match(/^kept/gm)?.length, names.length + 1);
  assert.deepEqual(all(), before);
});

test("a wrong address or prefix is refused with the correct form, and nothing is created", () => {
  const { place, prepare } = machine("refused");
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /usage: .* https:\/\//],
    [["http://crossdock.example.com", "0614141"], /usage/],
    [["https://", "0614141"], /usage/],
    [["https://crossdock.example.com/console", "0614141"], /usage/],
    [["https://a|b", "0614141"], /usage/],
    [["https://crossdock.example.com"], /'' is no GS1 company prefix: 7 to 10 digits/],
    [["https://crossdock.example.com", "123456"], /'123456' is no GS1/],
    [["https://crossdock.example.com", "12345678901"], /'12345678901' is no GS1/],
    [["https://crossdock.example.com", "061414X"], /'061414X' is no GS1/],
  ];
  for (const [words, reason] of wrong) {
    const { status, stderr } = prepare(...words);
    assert.equal(status, 2, words.join(" "));
    assert.match(stderr, reason);
  }
  assert.deepEqual(readdirSync(path.join(place, "deploy/compose")).sort(), ["crossdock.env.example", "prepare.sh"]);
});
