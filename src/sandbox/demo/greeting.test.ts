import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { loadConfig } from "#/kernel/config/config.ts";
import { roleNames } from "#/kernel/config/role-names.ts";
import { type DemoView, greetingOf, type Served, welcomeOf } from "#/sandbox/demo/greeting.ts";

const demo = {
  clientId: "DEMO",
  feed: { apiKey: "cd_sandbox_key" },
  oauth: { client_id: "id", client_secret: "secret" },
  sftp: { username: "demo", password: "abcde-fghjk" },
  console: { username: "admin", password: "fghjk-mnpqr" },
};
const url = "http://127.0.0.1:8080";
const sftp = { host: "127.0.0.1", port: 2222, fingerprint: "SHA256:abc" };

const file = "/data/demo-credentials.json";

function greeting(served: Partial<Served>, demoView: Partial<DemoView> = {}): string {
  const loaded = loadConfig(
    {},
    { cwd: "/", readFile: () => assert.fail(Object.assign(new Error(), { code: "ENOENT" })) },
  );
  assert.ok(loaded.ok);
  const whole = { url, roles: new Set(["api", "feeds", "auth"] as const), sftp: undefined, warehouseSim: undefined };
  const welcome = welcomeOf(loaded.value, { ...whole, ...served }, "/data/crossdock.log");
  const view = { credentials: demo, file, isOwner: true, ...demoView };
  return stripVTControlCharacters(greetingOf(welcome, view).join("\n"));
}

test("all roles: where to begin, every address, the demo's credentials, and three commands to paste", () => {
  const text = greeting({ roles: new Set(roleNames), sftp, warehouseSim: {} });
  assert.equal(text.split("\n")[0], "Open http://127.0.0.1:8080/console — admin / fghjk-mnpqr");
  assert.match(text, /^ {2}Log {6}\/data\/crossdock\.log$/m);
  assert.match(text, /^ {2}SFTP {5}sftp:\/\/127\.0\.0\.1:2222, host key SHA256:abc$/m);
  assert.match(text, /^ {2}SFTP password {2}abcde-fghjk {3}for: sftp -P 2222 demo@127\.0\.0\.1$/m);
  assert.match(text, /^ {2}Docs {5}http:\/\/127\.0\.0\.1:8080\/docs$/m);
  assert.equal(text.match(/^curl /gm)?.length, 3);
  assert.match(text, /The simulated warehouse processes the order/);
});

test("a user who does not own the credentials sees no secret, but the file that holds them", () => {
  const text = greeting({ roles: new Set(roleNames), sftp }, { isOwner: false });
  assert.equal(
    text.split("\n")[0],
    "Open http://127.0.0.1:8080/console — admin / the password in /data/demo-credentials.json",
  );
  assert.match(
    text,
    /Demo client DEMO\n {2}Its credentials are in \/data\/demo-credentials\.json; npx crossdock hello/,
  );
  for (const secret of ["cd_sandbox_key", "secret", "abcde-fghjk", "fghjk-mnpqr"]) assert.ok(!text.includes(secret));
  assert.doesNotMatch(text, /^curl /m);
});

test("the greeting shows only what the process serves", () => {
  const withoutSftp = greeting({});
  assert.doesNotMatch(withoutSftp, /SFTP|simulated warehouse|console/);
  assert.equal(withoutSftp.match(/^curl /gm)?.length, 3);
  const onlySftp = greeting({ roles: new Set(["sftp"]), sftp });
  assert.match(onlySftp, /sftp:\/\/127\.0\.0\.1:2222/);
  assert.match(onlySftp, /SFTP password {2}abcde-fghjk/);
  assert.doesNotMatch(onlySftp, /^curl |\/v1\/|\/docs/m);
  assert.match(onlySftp, /^ {2}Health {3}http:\/\/127\.0\.0\.1:8080\/readyz$/m);
  const onlyApi = greeting({ roles: new Set(["api"]) });
  assert.match(onlyApi, /^ {2}REST {5}http/m);
  assert.doesNotMatch(onlyApi, /^curl |\/feeds|\/oauth/m);
});

test("without a demo user the greeting says how to create a console user, if there is none", () => {
  const { console: _user, ...older } = demo;
  for (const credentials of [older, undefined])
    assert.match(
      greeting({ roles: new Set(["console"]) }, { credentials }),
      /^Open \S+\/console — where it has no user yet: npx crossdock user create NAME --role admin$/m,
    );
});

test("an address of IPv6 is shown as the programs take it", () => {
  const text = greeting({ roles: new Set(["sftp"]), sftp: { ...sftp, host: "::1" } });
  assert.match(text, /sftp:\/\/\[::1\]:2222,/);
  assert.match(text, /for: sftp -P 2222 'demo@\[::1\]'$/m);
});
