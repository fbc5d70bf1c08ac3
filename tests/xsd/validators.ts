/**
 * Three validators with one interface: the library that the product uses, libxml2's own tool, and Java's built-in one.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { XmlDocument, XmlLibError, XsdValidator } from "libxml2-wasm";
import { type Exhibit, schemaPath } from "./exhibits.ts";

export interface Judge {
  readonly name: string;
  /** The package to install if the validator is missing; undefined if it is available. */
  absence(): string | undefined;
  /** One verdict for each exhibit, in their order: whether it is valid. Throws when a schema does not compile. */
  judge(exhibits: readonly Exhibit[]): boolean[];
}

const productLibrary: Judge = {
  name: "libxml2 as the product uses it",
  absence: () => undefined,
  judge(exhibits) {
    const validators = new Map<Exhibit["schema"], XsdValidator>();
    try {
      return exhibits.map(({ schema, bytes }) => {
        let validator = validators.get(schema);
        if (validator === undefined) {
          validator = compile(schema);
          validators.set(schema, validator);
        }
        return isValid(validator, bytes);
      });
    } finally {
      for (const validator of validators.values()) validator.dispose();
    }
  },
};

function compile(schema: Exhibit["schema"]): XsdValidator {
  const document = XmlDocument.fromBuffer(readFileSync(schemaPath(schema)));
  try {
    return XsdValidator.fromDoc(document);
  } finally {
    document.dispose();
  }
}

function isValid(validator: XsdValidator, bytes: Buffer): boolean {
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromBuffer(bytes);
    validator.validate(document);
    return true;
  } catch (error) {
    if (error instanceof XmlLibError) return false;
    throw error;
  } finally {
    document?.dispose();
  }
}

const xmllint: Judge = {
  name: "xmllint",
  absence: () => (isOnPath("xmllint", "--version") ? undefined : "xmllint is not on the PATH (Debian: libxml2-utils)"),
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
  absence: () => (isOnPath("java", "-version") ? undefined : "java is not on the PATH (Debian: default-jdk-headless)"),
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

export const judges: readonly Judge[] = [productLibrary, xmllint, java];

function isOnPath(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: "ignore" }).status === 0;
}

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
