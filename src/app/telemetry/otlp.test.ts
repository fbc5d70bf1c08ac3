import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Imports a file in a separate process, and returns the OpenTelemetry packages that this loads. */
async function loadedBy(file: string): Promise<string[]> {
  const script = `
    import { registerHooks } from "node:module";
    const found = new Set();
    registerHooks({ load(url, context, next) {
      const name = /node_modules[/](@opentelemetry[/][^/]+)/.exec(url)?.[1];
      if (name) found.add(name);
      return next(url, context);
    } });
    await import(${JSON.stringify(new URL(file, import.meta.url).href)});
    console.log(JSON.stringify([...found].sort()));`;
  const cwd = fileURLToPath(new URL("../../../", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd });
  return JSON.parse(stdout) as string[];
}

test("a program without a collector loads no serialiser and no SDK of OpenTelemetry", async () => {
  // The library calls the API to attach a trace id to a sample.
  assert.deepEqual(await loadedBy("../../main.ts"), ["@opentelemetry/api"]);
  assert.ok((await loadedBy("./otlp.ts")).includes("@opentelemetry/otlp-transformer"));
});
