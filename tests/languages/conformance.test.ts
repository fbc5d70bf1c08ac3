// One list of cases for the clients of all languages: what the server answers, and what the client must send and report.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, describe, test } from "node:test";
import { type Script, standIn, standInUrl } from "../../packages/client/src/stand-in.ts";
import { readXml } from "../../packages/client/src/xml.ts";
import { type Installed, isLeftOut, languages, temporaryFolder } from "./installed.ts";

interface Scene {
  readonly name: string;
  /** `expires_in` of the tokens. */
  readonly lifeSeconds?: number;
  readonly tokens?: readonly Script[];
  readonly answers: readonly Script[];
  /** The requests to services, by their members; `json` and `xml` compare the body without its white space. */
  readonly requests: readonly (Readonly<Record<string, unknown>> & { readonly url?: string; readonly xml?: string })[];
  readonly tokenRequests: number;
  /** How long the client waits at least between the first requests. */
  readonly waitMs?: number;
  /** Whether all requests have the same key, or each another. */
  readonly isOneKey?: boolean;
  /** The steps of a program; the next life is that of a new process. */
  readonly lives: readonly { readonly steps: readonly object[]; readonly reports: readonly object[] }[];
}

const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as readonly Scene[];
const folder = temporaryFolder();

const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A time with milliseconds: some languages write none where they are zero. */
const sameTime = (_name: string, value: unknown): unknown =>
  typeof value === "string" && isTime.test(value) ? new Date(value).toISOString() : value;

/** Children in any order, and without the white space between them. */
function sorted(xml: string): unknown {
  const part = ({ name, attributes, children, text }: ReturnType<typeof readXml>): unknown => ({
    name,
    attributes: Object.entries(attributes).sort(),
    text: children.length > 0 ? "" : sameTime("", text),
    children: children.map(part).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  });
  return part(readXml(xml));
}

/** The segments of the path, and the query: the escapes differ between languages. */
function partsOf(target: string): object {
  const { pathname, searchParams } = new URL(target, standInUrl);
  return { path: pathname.split("/").map(decodeURIComponent), query: [...searchParams].sort() };
}

/** A process of the client's program, started when it is needed, and again when it was killed. */
function openRunner(start: Installed["start"]) {
  let running: { child: ReturnType<Installed["start"]>; lines: AsyncIterator<string> } | undefined;
  return {
    /** The reports up to the last step, or to the end of the process. */
    async reports(input: object): Promise<object[]> {
      if (running === undefined) {
        const child = start();
        running = { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
      }
      const { child, lines } = running;
      child.stdin.write(`${JSON.stringify(input)}\n`);
      const reports: object[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done) {
          running = undefined;
          return reports;
        }
        const report = JSON.parse(value);
        if (report.done === true) return reports;
        reports.push(report);
      }
    },
    end: () => running?.child.stdin.end(),
  };
}

for (const { name: language, tools, install } of languages) {
  describe(language, () => {
    let runner: ReturnType<typeof openRunner> | undefined;
    after(() => runner?.end());
    for (const scene of cases) {
      test(`${language}: ${scene.name}`, async (context) => {
        if (isLeftOut(context, tools)) return;
        runner ??= openRunner((await install()).start);
        const { answers, tokens = [], lifeSeconds = 3600 } = scene;
        Object.assign(standIn, { scripts: [...answers], tokenScripts: [...tokens], lifeSeconds });
        const cursorFile = path.join(folder, randomUUID());
        for (const { steps, reports } of scene.lives) {
          assert.deepEqual(await runner.reports({ url: standInUrl, cursorFile, steps }), reports);
        }
        if (existsSync(cursorFile)) rmSync(cursorFile);
        const { seen, tokenRequests } = standIn;
        assert.equal(tokenRequests.length, scene.tokenRequests);
        assert.equal(seen.length, scene.requests.length);
        for (const [i, request] of seen.entries()) {
          const { url, json, xml, ...members } = scene.requests[i] ?? {};
          if (url !== undefined) assert.deepEqual(partsOf(request.url), partsOf(url));
          if (json !== undefined) assert.deepEqual(JSON.parse(request.body, sameTime), json);
          if (xml !== undefined) assert.deepEqual(sorted(request.body), sorted(xml));
          for (const [member, value] of Object.entries(members)) {
            assert.equal(request[member as keyof typeof request] ?? null, value, `${member} of request ${i + 1}`);
          }
        }
        if (scene.waitMs !== undefined) {
          assert.ok((seen[1]?.atMs ?? 0) - (seen[0]?.atMs ?? 0) >= scene.waitMs - 10);
        }
        if (scene.isOneKey !== undefined) {
          const keys = new Set(seen.map(({ key }) => key));
          assert.ok(!keys.has(undefined));
          assert.equal(keys.size, scene.isOneKey ? 1 : seen.length);
          if (scene.isOneKey) assert.equal(new Set(seen.map(({ body }) => body)).size, 1);
        }
      });
    }
  });
}
