import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { type EnvironmentTexts, gatherTexts } from "#/kernel/config/env-file.ts";

const known = [
  { name: "PORT", isSecret: false },
  { name: "CROSSDOCK_SECRET", isSecret: true },
  { name: "CROSSDOCK_LOG_LEVEL", isSecret: false },
];

describe("reading the environment", () => {
  const cwd = mkdtempSync(join(tmpdir(), "crossdock env-"));
  after(() => rmSync(cwd, { recursive: true }));
  const sources = { cwd, readFile: (path: string) => readFileSync(path, "utf8") };

  function gather(env: EnvironmentTexts, envFile = "") {
    writeFileSync(join(cwd, ".env"), envFile);
    const { texts, faults } = gatherTexts(env, known, sources);
    return { texts: Object.fromEntries(texts), faults };
  }

  test("a missing .env file is ignored, an unreadable one is a fault", () => {
    rmSync(join(cwd, ".env"), { force: true });
    assert.deepEqual(gatherTexts({ PORT: "1" }, known, sources), { texts: new Map([["PORT", "1"]]), faults: [] });
    const unreadable = { cwd, readFile: () => readFileSync(cwd, "utf8") };
    assert.deepEqual(gatherTexts({}, known, unreadable).faults, [{ name: ".env", text: "cannot be read (EISDIR)" }]);
  });

  test("a .env file fills in what the environment leaves out, quotes and comments understood", () => {
    const envFile = `# for the demo\nPORT=9000\nCROSSDOCK_LOG_LEVEL="debug" # loud\nSHELL=/bin/other\n`;
    assert.deepEqual(gather({ PORT: "1" }, envFile).texts, { PORT: "1", CROSSDOCK_LOG_LEVEL: "debug" });
  });

  test("a variable that the environment blanks stays unset", () => {
    assert.deepEqual(gather({ PORT: "" }, "PORT=9000\n").texts, {});
    assert.deepEqual(gather({ PORT: "  " }).texts, {});
  });

  test("NAME_FILE names a file that holds the value, line breaks at its end left out", () => {
    writeFileSync(join(cwd, "the secret"), "  two words \r\n\n");
    const expected = { CROSSDOCK_SECRET: "  two words " };
    assert.deepEqual(gather({ CROSSDOCK_SECRET_FILE: "the secret" }).texts, expected);
    assert.deepEqual(gather({ CROSSDOCK_SECRET_FILE: join(cwd, "the secret") }).texts, expected);
    assert.deepEqual(gather({}, "CROSSDOCK_SECRET_FILE='the secret'").texts, expected);
  });

  test("the environment's NAME wins over .env's NAME_FILE, and the other way round", () => {
    writeFileSync(join(cwd, "port"), "7");
    assert.deepEqual(gather({ PORT: "1" }, "PORT_FILE=port"), { texts: { PORT: "1" }, faults: [] });
    assert.deepEqual(gather({ PORT_FILE: "port" }, "PORT=1"), { texts: { PORT: "7" }, faults: [] });
  });

  test("both NAME and NAME_FILE are a fault, unless one is blank", () => {
    writeFileSync(join(cwd, "port"), "7");
    assert.deepEqual(gather({ PORT: "1", PORT_FILE: "port" }).faults, [
      { name: "PORT", text: "is given twice, here and by PORT_FILE" },
    ]);
    assert.deepEqual(gather({ PORT: "", PORT_FILE: "port" }), { texts: { PORT: "7" }, faults: [] });
    assert.deepEqual(gather({ PORT: "1", PORT_FILE: "" }), { texts: { PORT: "1" }, faults: [] });
  });

  test("a file that is missing or empty is a fault, which shows the path unless the path may be a secret", () => {
    writeFileSync(join(cwd, "empty"), "\n");
    assert.deepEqual(gather({ PORT_FILE: "gone", CROSSDOCK_SECRET_FILE: "s3cret" }).faults, [
      { name: "PORT_FILE", value: "gone", text: "names a file that cannot be read (ENOENT)" },
      { name: "CROSSDOCK_SECRET_FILE", text: "names a file that cannot be read (ENOENT)" },
    ]);
    assert.deepEqual(gather({ PORT_FILE: "empty" }).faults, [
      { name: "PORT_FILE", value: "empty", text: "names an empty file" },
    ]);
  });

  test("an unknown name of ours is refused with the nearest known one, and its value not shown", () => {
    const text = (name: string, envFile?: string) =>
      gather(envFile === undefined ? { [name]: "s3cret" } : {}, envFile).faults;
    assert.deepEqual(text("CROSSDOCK_SECERT"), [
      { name: "CROSSDOCK_SECERT", text: "is not a setting of Crossdock; did you mean CROSSDOCK_SECRET?" },
    ]);
    assert.deepEqual(text("CROSSDOCK_PORT"), [
      { name: "CROSSDOCK_PORT", text: "is not a setting of Crossdock; did you mean PORT?" },
    ]);
    assert.deepEqual(text("CROSSDOCK_LOGLEVEL_FILE"), [
      {
        name: "CROSSDOCK_LOGLEVEL_FILE",
        text: "is not a setting of Crossdock; did you mean CROSSDOCK_LOG_LEVEL_FILE?",
      },
    ]);
    assert.deepEqual(text("", "CROSSDOCK_WEATHER_FORECAST=1"), [
      { name: "CROSSDOCK_WEATHER_FORECAST", text: "is not a setting of Crossdock" },
    ]);
  });

  test("names for tests and names of other programs are allowed", () => {
    assert.deepEqual(gather({ CROSSDOCK_TEST_SEED: "1", CROSSDOCKS: "1", NODE_ENV: "x" }), { texts: {}, faults: [] });
  });
});
