import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readTables } from "../schema/migrations.ts";
import { denied, layers, modules, namesThatSayNothing, packageHomes } from "./layers.ts";
import { isTest, listFiles, readSource, root, type Source } from "./source.ts";

const sources = listFiles("src/**/*.ts").map(readSource);
const program = sources.filter(({ path }) => !isTest(path));
const isGenerated = (file: string) => file.includes("/src/generated/");
const everyScript = [
  ...sources,
  ...listFiles("{tests,scripts,bench,packages}/**/*.ts")
    .filter((file) => !isGenerated(file))
    .map(readSource),
];

/** Fails with all faults, one per line. */
function assertNone(faults: readonly string[]): void {
  assert.equal(faults.join("\n"), "");
}

/** `src/intake/feeds/ack.ts` belongs to `intake`, `src/main.ts` to `main.ts`. */
function layerOf(file: string): string {
  return file.split("/")[1] as string;
}

function moduleOf(file: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(file)?.[1];
}

/** The file in src that an import names; undefined for packages and other files. */
function targetOf({ path: file }: Source, specifier: string): string | undefined {
  if (specifier.startsWith("#/")) return `src/${specifier.slice(2)}`;
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file), specifier);
  return undefined;
}

function importsOf(source: Source): string[] {
  return source.imports.flatMap((specifier) => targetOf(source, specifier) ?? []);
}

test("the scanner sees the sources", () => {
  assert.ok(program.length > 50, `only ${program.length} files`);
  assert.ok(program.flatMap(importsOf).length > program.length);
  assert.ok(program.some(({ templates }) => templates.some(({ tag }) => tag === "sql")));
});

test("each folder of src is in the table of layers, and imports only what the table allows it", () => {
  assertNone(
    program.flatMap((source) => {
      const layer = layerOf(source.path);
      const allowed = layers[layer];
      if (!allowed) return [`src/${layer} is not in the table of layers`];
      return importsOf(source)
        .map(layerOf)
        .filter((other) => other !== layer && !allowed.includes(other))
        .map((other) => `${source.path} imports ${other}, which src/${layer} may not`);
    }),
  );
});

/** A command imports the files that it uses: the index of a module would load all of it, up to 1.4 s of processor time. */
const isCommand = (file: string) => file.startsWith("src/cli/");

/** It imports only the builder of its conditions, so that no module waits for another one to load. */
const isVocabulary = (file: string) => file.endsWith("/states.ts");

test("the states.ts of a module imports no module", () => {
  assertNone(
    program.flatMap((source) =>
      moduleOf(source.path) !== undefined && isVocabulary(source.path)
        ? importsOf(source)
            .filter((target) => target !== "src/store/db/sql.ts")
            .map((target) => `${source.path} imports ${target}`)
        : [],
    ),
  );
});

test("a module imports only modules before it, and only through their index.ts or states.ts", () => {
  const order = (name: string) => (modules as readonly string[]).indexOf(name);
  assertNone(
    program.flatMap((source) => {
      const home = moduleOf(source.path);
      if (home !== undefined && order(home) < 0) return [`src/modules/${home} is not in the list of modules`];
      return importsOf(source).flatMap((target) => {
        const other = moduleOf(target);
        if (other === undefined || other === home || isVocabulary(target)) return [];
        if (!target.endsWith("/index.ts") && !isCommand(source.path))
          return [`${source.path} reaches past the index.ts of ${other}: ${target}`];
        if (home !== undefined && order(other) > order(home))
          return [`${source.path} imports the later module ${other}`];
        return [];
      });
    }),
  );
});

test("an import of another folder is written with #/, except what a test takes from tests/", () => {
  assertNone(
    sources.flatMap((source) =>
      source.imports
        .filter((specifier) => specifier.startsWith("../"))
        .filter((specifier) => !(isTest(source.path) && targetOf(source, specifier)?.startsWith("tests/")))
        .map((specifier) => `${source.path}: ${specifier} should be written with #/`),
    ),
  );
});

test("packages with a home are imported there only", () => {
  assertNone(
    program.flatMap(({ path: file, imports }) =>
      imports.flatMap((specifier) => {
        const name = Object.keys(packageHomes).find((name) => specifier === name || specifier.startsWith(`${name}/`));
        const isHome = !name || packageHomes[name]?.some((home) => file.startsWith(home.path));
        return isHome ? [] : [`${file} imports ${specifier}`];
      }),
    ),
  );
});

test("a clock and a generator of ids are arguments: no module keeps one that outlives the clock of the store", () => {
  const machine = /\bsystemClock\b/;
  const isEntry = (file: string) => /^src\/(?:cli|sandbox\/demo)\//.test(file) || file === "src/kernel/clock.ts";
  assertNone(
    program.flatMap(({ path: file, code }) =>
      code
        .split("\n")
        .filter(
          (line) =>
            /^(?:export )?(?:const|let|var) .*\bcreateIds\(/.test(line) || (!isEntry(file) && machine.test(line)),
        )
        .map((line) => `${file}: ${line.trim()}`),
    ),
  );
});

const isCrossClient = (file: string) => file.endsWith(".cross-client.ts");

test("statements of *.cross-client.ts are marked as such, and no others", () => {
  const isMarked = ({ text }: Source) => text.includes("acrossClients as sql");
  assertNone(
    program
      .filter((source) => isMarked(source) !== isCrossClient(source.path))
      .map(({ path }) => `${path} ${isCrossClient(path) ? "does not take" : "takes"} acrossClients for its statements`),
  );
});

test("a client's tables are reached by statements that name the client, except in *.cross-client.ts", () => {
  const tables = readTables().filter((table) => table.class === "distributed");
  const mention = new RegExp(
    `\\b(?:from|join|into|update|using)\\s+(?:${tables.map(({ name }) => name).join("|")})\\b`,
    "i",
  );
  assertNone(
    program
      .filter(({ path }) => !isCrossClient(path))
      .flatMap(({ path, templates }) =>
        templates
          .filter(
            ({ tag, texts, holes }) => tag === "sql" && mention.test(texts.join(" ")) && !holes.includes("tenant"),
          )
          .map(({ texts }) => `${path}: ${texts.join("…").trim().slice(0, 100)}`),
      ),
  );
});

test("a function takes a client's view, not a transaction and a client's id, except in src/store/db and *.cross-client.ts", () => {
  const takesBoth = /\(\s*\w+: (?:Tx|Transaction),[^(){}]*\b(?:clientId|tenantId): string\s*[,)]/g;
  assertNone(
    program
      .filter(({ path }) => !isCrossClient(path) && !path.startsWith("src/store/db/"))
      .flatMap(({ path, text }) => [...text.matchAll(takesBoth)].map(([found]) => `${path}: ${found}`)),
  );
});

test("names are kebab-case and say something", () => {
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
  assertNone(
    everyScript.flatMap(({ path: file }) => {
      const isKebab = file
        .replace(/(\.test|\.cross-client)?\.ts$/, "")
        .split("/")
        .every((name) => kebab.test(name));
      return isKebab && !namesThatSayNothing.test(file) ? [] : [file];
    }),
  );
});

const records = listFiles("docs/decisions/*.md").map((file) => ({
  file: path.basename(file),
  text: readFileSync(path.join(root, file), "utf8"),
}));

test("a literal lists its properties or elements, without the spread of another literal", () => {
  const scripts = [...everyScript.map(({ path }) => path), ...listFiles("console/src/**/*.{ts,tsx}")];
  assertNone(
    scripts.flatMap((file) =>
      readFileSync(path.join(root, file), "utf8")
        .split("\n")
        .filter((line) => /\.{3}(?:\{ |\(\[[^\]]*\] as const\),?$)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    ),
  );
});

test("the milliseconds of a day are written once in the program and once in the console", () => {
  const day = /\b86_?400_?000\b|\b24 \* (?:3_?600_?000|60 \* 60(?:_?000| \* 1_?000))\b/;
  for (const text of ["30 * 86_400_000", "24 * 60 * 60_000", "24 * 3_600_000", "24 * 60 * 60 * 1000"])
    assert.match(text, day);
  const homes = ["src/kernel/values/durations.ts", "console/src/durations.ts"];
  const scripts = [...everyScript, ...listFiles("console/src/**/*.{ts,tsx}").map(readSource)];
  assertNone(
    scripts
      .filter(({ path: file, code }) => !homes.includes(file) && day.test(code))
      .map(({ path: file }) => `${file}: take dayMs of durations.ts`),
  );
});

const vagueWord = "(?:it|one|each|own|given|asked|said|told)\\b";
const vagueLocal = new RegExp(
  [
    `\\b(?:const|let) \\[?${vagueWord}`,
    `\\bfunction ${vagueWord}`,
    `\\(${vagueWord}(?:: [^)]*)?(?:, \\w+)?\\) =>`,
  ].join("|"),
);

test("locals are nouns of their types", () => {
  for (const line of ["rows.map((it, i) => it)", "const own = rows;", "const [one, two] = rows;", "function own() {"])
    assert.match(line, vagueLocal);
  assert.doesNotMatch("const ownRows = rows;", vagueLocal);
  const scripts = [
    ...everyScript,
    ...listFiles("console/{*.ts,src/**/*.{ts,tsx}}")
      .filter((file) => !isGenerated(file))
      .map(readSource),
  ];
  assertNone(
    scripts.flatMap(({ path: file, code }) =>
      code.split("\n").flatMap((line, i) => (vagueLocal.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    ),
  );
});

test("decision records are numbered without holes, and have their three parts", () => {
  assert.deepEqual(
    records.map(({ file }) => file.slice(0, 4)),
    records.map((_, i) => String(i + 1).padStart(4, "0")),
  );
  assertNone(
    records.flatMap(({ file, text }) => {
      const number = Number(/^# (\d+)\b/.exec(text)?.[1]);
      const missing = ["Context", "Decision", "Consequences"].filter(
        (part) => !new RegExp(`^(?:## ${part}|\\*\\*${part}\\.\\*\\*)`, "m").test(text),
      );
      const parts = missing.map((part) => `${file} lacks the part ${part}`);
      return number === Number(file.slice(0, 4)) ? parts : [...parts, `${file} has another number in its title`];
    }),
  );
});

test("every package that a package.json names is in a decision record", () => {
  const text = records.map((record) => record.text).join("\n");
  const manifests = listFiles("package.json", "packages/*/package.json", "console/package.json").map(
    (file) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as Record<string, object | undefined>,
  );
  const kinds = ["dependencies", "optionalDependencies", "devDependencies"];
  const names = manifests.flatMap((manifest) => kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
  // Packages for different platforms count as one decision.
  const families = names.map((name) => name.replace(/(?:darwin|linux|windows|win)-(?:x64|arm64)$/, ""));
  assert.ok(names.length > 10);
  assertNone([...new Set(families)].filter((name) => !text.includes(`\`${name}`)));
});

test("no file contains an import that the table forbids", () => {
  const texts = listFiles(
    "**/*.{ts,mjs,js,tsx,css,html,json,md,sql,xsd,yaml,yml,sh,java}",
    ".*/**/*",
    ".*",
    "{.ci,.github}/**",
    "Dockerfile",
  );
  assert.ok(texts.length > 100);
  assertNone(
    texts.flatMap((file) => {
      const lines = readText(file).split("\n");
      return denied.flatMap(({ what, pattern, except = [] }) =>
        except.some((beginning) => file.startsWith(beginning))
          ? []
          : lines.flatMap((line, i) =>
              pattern.test(line) ? [`${file}:${i + 1} holds ${what}: ${line.trim().slice(0, 100)}`] : [],
            ),
      );
    }),
  );
});

function readText(file: string): string {
  try {
    return readFileSync(path.join(root, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") return "";
    throw error;
  }
}
