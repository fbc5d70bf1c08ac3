// The memory settings of a process that scripts/run.mjs starts; an image and a unit start Node without it.
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../scripts/run.mjs", import.meta.url), "utf8");
const [, flag = ""] = /^const memoryFlags = \["(--max-semi-space-size=\d+)"\];$/m.exec(text) ?? [];
const settingOf = (name: string) => new RegExp(`${name}: "(\\d+)"`).exec(text)?.[1] ?? "";

/** By the name of the variable. */
export const memorySettings: Readonly<Record<string, string>> = {
  NODE_OPTIONS: flag,
  MALLOC_ARENA_MAX: settingOf("MALLOC_ARENA_MAX"),
  MALLOC_MMAP_THRESHOLD_: settingOf("MALLOC_MMAP_THRESHOLD_"),
};
