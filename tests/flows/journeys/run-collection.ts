// Runs a Postman collection against a server: the parts of the format that ours uses, with its scripts as they are.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import vm from "node:vm";
import { call } from "../../support/http/call.ts";

interface Pair {
  readonly key: string;
  readonly value: string;
}

interface Item {
  readonly name: string;
  readonly event: readonly [{ readonly script: { readonly exec: readonly string[] } }];
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header?: readonly Pair[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw?: string; readonly urlencoded?: readonly Pair[] };
  };
}

export interface Collection {
  readonly info: { readonly schema: string };
  readonly variable: readonly Pair[];
  readonly item: readonly (Item | { readonly name: string; readonly item: readonly Item[] })[];
}

/** @param given values of variables. @returns each test of a script, as `request: condition`. */
export async function runCollection(collection: Collection, given: Readonly<Record<string, string>>) {
  const variables = new Map<string, unknown>(collection.variable.map(({ key, value }) => [key, value]));
  for (const [name, value] of Object.entries(given)) variables.set(name, value);
  const filled = (text: string) =>
    text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) =>
      name === "$isoTimestamp" ? new Date().toISOString() : String(variables.get(name) ?? assert.fail(name)),
    );
  const tests: string[] = [];
  const items = collection.item.flatMap((item) => ("item" in item ? item.item : [item]));
  for (let at = 0; at < items.length; ) {
    const { name, event, request } = items[at] as Item;
    const { raw, urlencoded } = request.body ?? {};
    const form = urlencoded && new URLSearchParams(urlencoded.map(({ key, value }) => [key, filled(value)]));
    const headers = (request.header ?? []).map(({ key, value }) => [key, filled(value)]);
    const { status, body } = await call(request.method, filled(request.url.raw), {
      token: request.auth?.type === "noauth" ? undefined : filled("{{token}}"),
      body: form?.toString() ?? (raw === undefined ? undefined : filled(raw)),
      headers: {
        ...Object.fromEntries(headers),
        ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      },
    });
    let next = at + 1;
    const pm = {
      response: { code: status, json: () => body },
      collectionVariables: variables,
      execution: {
        setNextRequest(wanted: string) {
          next = items.findIndex((item) => item.name === wanted);
        },
      },
      expect: (value: unknown) => ({ to: { equal: (wanted: unknown) => assert.equal(value, wanted) } }),
      test(condition: string, run: () => void) {
        assert.doesNotThrow(run, `${name}: ${condition} does not hold for ${status} ${JSON.stringify(body)}`);
        tests.push(`${name}: ${condition}`);
      },
    };
    // The server of the tests is faster than a warehouse.
    const delays: number[] = [];
    const setTimeout = (_: unknown, ms: number) => delays.push(ms);
    vm.runInNewContext(event[0].script.exec.join("\n"), { pm, setTimeout });
    for (const ms of delays) await sleep(Math.min(ms, 200));
    at = next;
  }
  return { tests, variables };
}
