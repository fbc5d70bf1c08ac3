import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { loadConfig } from "#/kernel/config.ts";
import { greetingOf, type Served } from "#/roles/greeting.ts";

const demo = {
  clientId: "DEMO",
  feed: { apiKey: "cd_sandbox_key" },
  oauth: { client_id: "id", client_secret: "secret" },
  sftp: { username: "demo", password: "abcde-fghjk" },
};
const url = "http://127.0.0.1:8080";
const sftp = { host: "127.0.0.1", port: 2222, fingerprint: "SHA256:abc" };

function greeting(served: Partial<Served>, credentials: typeof demo | undefined = demo): string {
  const loaded = loadConfig(
    {},
    { cwd: "/", readFile: () => assert.fail(Object.assign(new Error(), { code: "ENOENT" })) },
  );
  assert.ok(loaded.ok);
  const whole = { url: undefined, sftp: undefined, warehouseSim: undefined, ...served };
  return stripVTControlCharacters(greetingOf(loaded.value, credentials, whole).join("\n"));
}

test("all roles: every address, the demo's credentials, and three commands to paste", () => {
  const text = greeting({ url, sftp, warehouseSim: {} });
  assert.match(text, /^ {2}SFTP {5}sftp:\/\/127\.0\.0\.1:2222, host key SHA256:abc$/m);
  assert.match(text, /^ {2}SFTP password {2}abcde-fghjk {3}for: sftp -P 2222 demo@127\.0\.0\.1$/m);
  assert.match(text, /^ {2}Docs {5}http:\/\/127\.0\.0\.1:8080\/docs$/m);
  assert.equal(text.match(/^curl /gm)?.length, 3);
  assert.match(text, /The simulated warehouse works the order/);
});

test("what a process does not serve is not shown", () => {
  const withoutSftp = greeting({ url });
  assert.doesNotMatch(withoutSftp, /SFTP|simulated warehouse/);
  assert.equal(withoutSftp.match(/^curl /gm)?.length, 3);
  const onlySftp = greeting({ sftp });
  assert.match(onlySftp, /sftp:\/\/127\.0\.0\.1:2222/);
  assert.match(onlySftp, /SFTP password {2}abcde-fghjk/);
  assert.doesNotMatch(onlySftp, /^curl |http:/m);
});

test("an address of IPv6 is shown as the programs take it", () => {
  const text = greeting({ sftp: { ...sftp, host: "::1" } });
  assert.match(text, /sftp:\/\/\[::1\]:2222,/);
  assert.match(text, /for: sftp -P 2222 'demo@\[::1\]'$/m);
});
