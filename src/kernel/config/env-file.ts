/** Collects the texts of the variables from all sources: the environment, `.env`, and files named by `NAME_FILE`. */
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { nearestName } from "#/kernel/values/nearest-name.ts";

/** The fault of one variable. `value` is set when it is safe to show and helps to find the mistake. */
export interface ConfigFault {
  readonly name: string;
  readonly value?: string;
  readonly text: string;
}

export interface ConfigSources {
  /** The directory of `.env` and of relative paths. */
  readonly cwd: string;
  /** Reads a text file; throws as `node:fs` does. */
  readonly readFile: (path: string) => string;
}

export interface KnownVariable {
  readonly name: string;
  readonly isSecret: boolean;
}

export interface GatheredTexts {
  /** Name → text, of the known variables whose text is not blank. */
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly ConfigFault[];
}

export type EnvironmentTexts = Readonly<Record<string, string | undefined>>;

const ownPrefix = "CROSSDOCK_";
const freePrefix = "CROSSDOCK_TEST_";
const fileSuffix = "_FILE";

export function gatherTexts(
  env: EnvironmentTexts,
  known: readonly KnownVariable[],
  sources: ConfigSources,
): GatheredTexts {
  const faults: ConfigFault[] = [];
  const all = { ...readEnvFile(env, sources, faults), ...env };
  faults.push(...unknownNames(all, known));
  const texts = new Map<string, string>();
  for (const variable of known) {
    const text = all[variable.name] ?? "";
    const path = all[variable.name + fileSuffix] ?? "";
    const found = path.trim() === "" ? text : textOfFile(variable, { text, path: path.trim() }, sources, faults);
    if (found.trim() !== "") texts.set(variable.name, found);
  }
  return { texts, faults };
}

/** The files that `NAME_FILE` names for these variables. */
export function filesOf(
  env: EnvironmentTexts,
  variables: readonly KnownVariable[],
  sources: ConfigSources,
): { readonly name: string; readonly file: string }[] {
  const all = { ...readEnvFile(env, sources, []), ...env };
  return variables.flatMap((variable) => {
    const name = variable.name + fileSuffix;
    const file = all[name]?.trim() ?? "";
    return file === "" ? [] : [{ name, file: resolve(sources.cwd, file) }];
  });
}

/** The variables of `.env`, without those that the real environment sets in either form. */
function readEnvFile(env: EnvironmentTexts, sources: ConfigSources, faults: ConfigFault[]): EnvironmentTexts {
  let content: string;
  try {
    content = sources.readFile(join(sources.cwd, ".env"));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason !== "ENOENT") faults.push({ name: ".env", text: `cannot be read (${reason})` });
    return {};
  }
  const isOverruled = (name: string): boolean => {
    const plainName = name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : name;
    return env[plainName] !== undefined || env[plainName + fileSuffix] !== undefined;
  };
  return Object.fromEntries(Object.entries(parseEnv(content)).filter(([name]) => !isOverruled(name)));
}

function unknownNames(all: EnvironmentTexts, known: readonly KnownVariable[]): ConfigFault[] {
  const names = known.flatMap(({ name }) => [name, name + fileSuffix]);
  const withoutPrefix = new Map(names.map((name) => [name.replace(ownPrefix, ""), name]));
  const unknown = Object.keys(all).filter(
    (name) => name.startsWith(ownPrefix) && !name.startsWith(freePrefix) && !names.includes(name),
  );
  // The value is not shown: it may belong to a misspelt secret.
  return unknown.map((name) => {
    const nearest = nearestName(name.slice(ownPrefix.length), [...withoutPrefix.keys()]);
    const meant = nearest === undefined ? "" : `; did you mean ${withoutPrefix.get(nearest)}?`;
    return { name, text: `is not a setting of Crossdock${meant}` };
  });
}

function textOfFile(
  variable: KnownVariable,
  source: { readonly text: string; readonly path: string },
  sources: ConfigSources,
  faults: ConfigFault[],
): string {
  const name = variable.name + fileSuffix;
  if (source.text.trim() !== "") {
    faults.push({ name: variable.name, text: `is given twice, here and by ${name}` });
    return "";
  }
  // The variable may contain the secret itself instead of the path of its file.
  const shown = variable.isSecret ? {} : { value: source.path };
  try {
    const text = sources.readFile(resolve(sources.cwd, source.path)).replace(/[\r\n]+$/, "");
    if (text.trim() === "") faults.push({ name, ...shown, text: "names an empty file" });
    return text;
  } catch (error) {
    faults.push({ name, ...shown, text: `names a file that cannot be read (${reasonOf(error)})` });
    return "";
  }
}

/** Only the system's error code: its message repeats the path. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
