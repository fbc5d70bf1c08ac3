// The XSDs mean the same to libxml2's own tool and to Java's built-in validator as to the product.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Exhibit, schemaPath } from "../xsd/exhibits.ts";
import { type Judge, testJudge } from "../xsd/validators.ts";
import { isThere } from "./programs.ts";

const xmllint: Judge = {
  name: "xmllint",
  judge: (exhibits) =>
    withFiles(exhibits, (files) => {
      const verdicts = new Map<string, boolean>();
      for (const schema of new Set(exhibits.map((exhibit) => exhibit.schema))) {
        const instances = files.filter((_, index) => exhibits[index]?.schema === schema);
        const run = spawnSync("xmllint", ["--noout", "--nonet", "--schema", schemaPath(schema), ...instances], {
          encoding: "utf8",
          maxBuffer: 64 * 1024 * 1024,
        });
        if (run.status === 5) throw new Error(`xmllint cannot compile ${schema}.xsd: ${run.stderr}`);
        for (const [, file, verdict] of run.stderr.matchAll(/^(.+) (validates|fails to validate)$/gm)) {
          verdicts.set(file as string, verdict === "validates");
        }
      }
      // xmllint gives no verdict on a document that is not well formed.
      return files.map((file) => verdicts.get(file) ?? false);
    }),
};

const java: Judge = {
  name: "Java's validator",
  judge: (exhibits) =>
    withFiles(exhibits, (files) => {
      const program = fileURLToPath(new URL("Validate.java", import.meta.url));
      const input = files
        .map((file, index) => `${schemaPath((exhibits[index] as Exhibit).schema)}\t${file}\n`)
        .join("");
      const run = spawnSync("java", [program], { input, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
      if (run.status !== 0) throw new Error(`java ended with ${run.status ?? run.signal}: ${run.stderr}`);
      return run.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line === "valid");
    }),
};

if (isThere("xmllint", "libxml2-utils")) testJudge(xmllint);
if (isThere("java", "default-jdk-headless")) testJudge(java);

function withFiles<T>(exhibits: readonly Exhibit[], use: (files: string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "crossdock-xsd-"));
  try {
    const files = exhibits.map(({ bytes }, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, bytes);
      return file;
    });
    return use(files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
