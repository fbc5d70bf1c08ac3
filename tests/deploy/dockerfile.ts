// Parses the Dockerfile as far as the tests need it: stages, and instructions with their arguments.
import { readFileSync } from "node:fs";

export interface Instruction {
  readonly line: number;
  readonly keyword: string;
  /** Continued lines are joined, comments removed. */
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** With the defaults of the arguments before the first stage. */
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  readonly line: number;
  /** Undefined: from the project. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function readInstructions(file: URL): Instruction[] {
  const instructions: Instruction[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of readFileSync(file, "utf8").split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    open = open ? { ...open, text: `${open.text} ${line}` } : { line: index + 1, text: line };
    if (line.endsWith("\\")) {
      open.text = open.text.slice(0, -1).trim();
      continue;
    }
    const [, keyword = "", text = ""] = /^(\S+)\s+(.*)$/.exec(open.text) ?? [];
    instructions.push({ line: open.line, keyword: keyword.toUpperCase(), text });
    open = undefined;
  }
  return instructions;
}

export function stagesOf(instructions: readonly Instruction[]): Stage[] {
  const defaults = new Map<string, string>();
  const stages: { name: string; image: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    const { keyword, text } = instruction;
    if (keyword === "FROM") {
      const [, image = "", name = ""] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(text) ?? [];
      stages.push({
        name,
        image: image.replace(/\$\{(\w+)\}/g, (_all, key) => defaults.get(key) ?? ""),
        instructions: [],
      });
    } else if (stages.length === 0 && keyword === "ARG") {
      const [key = "", value = ""] = text.split(/=(.*)/s);
      defaults.set(key, value);
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

export function copiesOf({ instructions }: Stage): Copy[] {
  return instructions
    .filter(({ keyword }) => keyword === "COPY")
    .map(({ line, text }) => {
      const words = text.split(/\s+/);
      const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
      const places = words.filter((word) => !word.startsWith("--"));
      return { line, from, sources: places.slice(0, -1), target: places.at(-1) ?? "" };
    });
}

/** The values of `KEY=value` pairs in ENV and LABEL. */
export function pairsOf({ instructions }: Stage, keyword: "ENV" | "LABEL"): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const { text } of instructions.filter((instruction) => instruction.keyword === keyword)) {
    for (const [, key = "", quoted, plain = ""] of text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)) {
      pairs.set(key, quoted ?? plain);
    }
  }
  return pairs;
}
