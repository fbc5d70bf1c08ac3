import type { Parser } from "#/kernel/config/parsers.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

export interface Assignments<Name extends string> {
  readonly values: ReadonlyMap<Name, unknown>;
  /** Settings that return to their defaults. */
  readonly cleared: readonly Name[];
}

/** Maximum length of a value that a sentence repeats. */
const shownMax = 100;

/**
 * Parses the texts `KEY=VALUE` of a command that changes settings; a blank value returns the setting to its default.
 *
 * @param settings the parser of each setting.
 * @param owner of the settings, as sentences name it: `a client`.
 * @returns the changes, or a sentence for every wrong text.
 */
export function readAssignments<Name extends string>(
  settings: Readonly<Record<Name, { readonly parse: Parser<unknown> }>>,
  owner: string,
  assignments: readonly string[],
): Result<Assignments<Name>, readonly string[]> {
  const names = Object.keys(settings) as Name[];
  const faults: string[] = [];
  const values = new Map<Name, unknown>();
  const cleared = new Set<Name>();
  for (const assignment of assignments) {
    const [, key = "", text = ""] = /^([^=]*)=?(.*)$/s.exec(assignment) ?? [];
    const name = names.find((candidate) => candidate === key);
    if (name === undefined) {
      const nearest = nearestName(key, names);
      faults.push(`'${key}' is no setting of ${owner}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`);
    } else if (!assignment.includes("=")) {
      faults.push(`${name}: expected ${name}=VALUE, or ${name}= for the default`);
    } else if (values.has(name) || cleared.has(name)) {
      faults.push(`${name} is given twice`);
    } else if (text.trim() === "") {
      cleared.add(name);
    } else {
      const parsed = settings[name].parse(text);
      if (parsed.ok) values.set(name, parsed.value);
      else faults.push(`${name}=${text.slice(0, shownMax)}: ${parsed.fault}`);
    }
  }
  return faults.length > 0 ? refused(faults) : ok({ values, cleared: [...cleared] });
}
