import { createRequire } from "node:module";
import type { TSchema } from "typebox";
import { asideOfSteps } from "#/kernel/telemetry/loop-watch.ts";

const require = createRequire(import.meta.url);
const library = () => require("typebox/compile") as typeof import("typebox/compile");

export type SchemaCheck = ReturnType<ReturnType<typeof library>["Compile"]>;

/**
 * A compiled check of a schema. It is compiled when it is first used, and the compiler is loaded then: its 277 files
 * and the checks of all routes and cursors take 0.5 s of processor time, which a start need not wait for.
 */
export function checkOf(schema: TSchema): () => SchemaCheck {
  let check: SchemaCheck | undefined;
  return () => (check ??= asideOfSteps(() => library().Compile(schema)));
}
