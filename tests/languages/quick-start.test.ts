// The quick start of docs/clients.md in each language, with the installed package, against the server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { fencesOf } from "../guides/fences.ts";
import { testServer } from "../support/app/server.ts";
import { isLeftOut, languages, temporaryFolder } from "./installed.ts";

const fences = fencesOf("docs/clients.md");
const server = await testServer();
const folder = temporaryFolder();

for (const { name, tools, install } of languages.filter(({ name }) => name !== "TypeScript")) {
  test(`the quick start in ${name} sends, creates, reads and follows`, async (context) => {
    if (isLeftOut(context, tools)) return;
    const at = fences.findIndex(({ tab, name: file }) => tab === name && file !== undefined);
    const { name: file = "", source = "" } = fences[at] ?? {};
    const output = fences[at + 1];
    assert.deepEqual([output?.language, output?.tab], ["text", name]);
    writeFileSync(path.join(folder, file), source);
    const brand = await server.onboard(name.replace("#", "S").toUpperCase());
    const { feed, oauth } = brand.credentials;
    const [program = "", ...args] = await (await install()).commandOf(path.join(folder, file));
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: folder,
      env: {
        ...process.env,
        CROSSDOCK_URL: server.url,
        CROSSDOCK_CLIENT: brand.credentials.clientId,
        CROSSDOCK_CLIENT_ID: oauth.client_id,
        CROSSDOCK_CLIENT_SECRET: oauth.client_secret,
        CROSSDOCK_API_KEY: feed.apiKey,
      },
    });
    assert.equal(stdout.replaceAll("\r\n", "\n"), output?.source);
  });
}
