import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { readCommandLine } from "#/cli/call.ts";
import { commands } from "#/cli/commands.ts";
import { type Config, describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import { parseRoleNames } from "#/kernel/config/role-names.ts";
import { configVariableNames } from "#/kernel/config/variables.ts";
import { type ComposeFile, type ComposeService, isCrossdock, networksOf, readCompose } from "./compose-file.ts";
import { faultsOfCompose } from "./published-schemas.ts";

const project = new URL("../../", import.meta.url);
const root = fileURLToPath(project);
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const compose = readCompose();
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => isCrossdock(service));
const servers = ours.filter(([, { command }]) => command?.[0] === "serve");
const { version } = JSON.parse(read("package.json")) as { version: string };
const example = parseEnv(read("deploy/compose/crossdock.env.example"));
const caddyfile = read("deploy/compose/Caddyfile");

/** The configuration of a Crossdock container, including its secrets. */
function configOf({ environment = {} }: ComposeService, more: Readonly<Record<string, string>> = {}): Config {
  const secrets: Readonly<Record<string, string>> = {
    "/run/secrets/database_url": "postgres://crossdock:secret@postgres:5432/crossdock",
    "/run/secrets/crossdock_secret": "a".repeat(64),
  };
  const loaded = loadConfig(
    { ...example, ...environment, ...more },
    {
      cwd: "/app",
      readFile(file) {
        const text = secrets[file];
        if (text === undefined) throw Object.assign(new Error(file), { code: "ENOENT" });
        return text;
      },
    },
  );
  return loaded.ok ? loaded.value : assert.fail(describeConfigFaults(loaded.fault));
}

/** The simulated warehouse runs only outside production. */
const settingsOf = (service: ComposeService): Config =>
  configOf(service, service.profiles?.includes("simulation") ? { CROSSDOCK_ENVIRONMENT: "staging" } : {});

const rolesOf = ({ command = [] }: ComposeService): readonly string[] => {
  const roles = parseRoleNames(command[command.indexOf("--roles") + 1] ?? "");
  return roles.ok ? roles.value : assert.fail(roles.fault);
};

const seconds = (text: string | undefined): number => Number(/^(\d+)s$/.exec(text ?? "")?.[1]);

test("compose.yaml is valid by the Compose Specification, and the validator finds errors", () => {
  assert.deepEqual(faultsOfCompose(compose), []);
  assert.notDeepEqual(faultsOfCompose({ services: { one: { imge: "x" } } }), []);
});

test("there are PostgreSQL, two API nodes, two workers, an SFTP node and a mail sink", () => {
  const roles = servers.filter(([, { profiles }]) => !profiles).map(([, service]) => rolesOf(service).join(","));
  assert.deepEqual(roles.sort(), [
    ...["feeds,api,auth,console", "feeds,api,auth,console"].map((names) => rolesInOrder(names)),
    ...["sftp", "worker", "worker"],
  ]);
  assert.match(compose.services.postgres?.image ?? "", /postgres:(1[5-9]|[2-9]\d)\./);
  assert.equal(example.CROSSDOCK_SMTP_URL, "smtp://mail:1025");
});

function rolesInOrder(names: string): string {
  const roles = parseRoleNames(names);
  return roles.ok ? roles.value.join(",") : assert.fail(roles.fault);
}

test("every container has an exact image, limits, no rights, a root that it cannot write, and a health check", () => {
  for (const [name, service] of services) {
    assert.match(service.image, isCrossdock(service) ? /^crossdock:/ : /:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/, name);
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
    const { cpus, memory, pids } = service.deploy?.resources.limits ?? assert.fail(`${name} has no limits`);
    assert.ok(Number(cpus) > 0 && /^\d+[mg]$/.test(memory) && pids > 0, name);
    const isOneShot = service.restart === "no";
    assert.equal(service.healthcheck?.disable === true, isOneShot, name);
    if (!isOneShot) {
      assert.equal(service.restart, "unless-stopped", name);
      assert.equal(service.healthcheck?.test?.[0], "CMD", name);
    }
  }
});

test("the image of Crossdock has the version of the program, and one service builds it", () => {
  for (const [name, { image }] of ours) assert.equal(image, `crossdock:${version}`, name);
  assert.deepEqual(
    services.filter(([, { build }]) => build !== undefined).map(([name, { build }]) => [name, build]),
    [["migrate", "."]],
  );
});

test("every command is one of the command line", () => {
  for (const [name, { command = [] }] of ours) assert.ok(readCommandLine(commands, command).ok, name);
});

test("the environment of each container is a production configuration, with the database and the master key in files", () => {
  for (const [name, service] of ours) {
    const config = settingsOf(service);
    assert.equal(config.environment, service.profiles ? "staging" : "production", name);
    assert.equal(config.database.url, "postgres://crossdock:secret@postgres:5432/crossdock", name);
    assert.equal(config.secret, "a".repeat(64), name);
    for (const url of [config.http.baseUrl, config.http.authUrl, config.http.feedUrl])
      assert.match(url ?? "", /^https:/);
  }
});

test("the simulated warehouse starts only by its profile, and is refused in production", () => {
  const [[, service] = assert.fail("there is none")] = ours.filter(([, definition]) =>
    rolesIn(definition).includes("warehouse-sim"),
  );
  assert.deepEqual(service?.profiles, ["simulation"]);
  assert.throws(() => configOf(service as ComposeService), /CROSSDOCK_WAREHOUSE_SIM/);
});

function rolesIn(service: ComposeService): readonly string[] {
  return service.command?.[0] === "serve" ? rolesOf(service) : [];
}

test("secrets, volumes, networks and mounted files are declared, used and there", () => {
  const used = services.flatMap(([, { secrets = [] }]) => secrets);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(compose.secrets).sort());
  const ignored = read(".gitignore").split("\n");
  for (const { file } of Object.values(compose.secrets)) {
    assert.equal(path.posix.dirname(file), "deploy/compose/secrets");
  }
  assert.ok(ignored.includes("deploy/compose/secrets/"));
  assert.ok(ignored.includes("deploy/compose/crossdock.env"));
  const joined = services.flatMap(([, service]) => networksOf(service));
  assert.deepEqual([...new Set(joined)].sort(), Object.keys(compose.networks).sort());
  const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(":")[0] ?? ""));
  const named = mounts.filter((source) => !source.startsWith("./"));
  assert.deepEqual([...new Set(named)].sort(), Object.keys(compose.volumes).sort());
  for (const source of mounts.filter((mount) => mount.startsWith("./")))
    assert.ok(existsSync(path.join(root, source)), source);
});

test("every server waits for the migration, the migration for the database, and the proxy for the API nodes", () => {
  for (const [name, { depends_on = {} }] of servers) {
    assert.deepEqual(depends_on, { migrate: { condition: "service_completed_successfully" } }, name);
  }
  assert.deepEqual(compose.services.migrate?.depends_on, { postgres: { condition: "service_healthy" } });
  const nodes = servers.filter(([, service]) => networksOf(service).includes("edge")).map(([name]) => name);
  assert.deepEqual(Object.keys(compose.services.proxy?.depends_on ?? {}), nodes);
});

test("the proxy sends requests to the API nodes, checks their readiness, and is the only trusted proxy", () => {
  const nodes = servers.filter(([, service]) => networksOf(service).includes("edge"));
  const upstreams = nodes.map(([name, service]) => `${name}:${configOf(service).http.port}`);
  assert.equal(/reverse_proxy (.*) \{/.exec(caddyfile)?.[1], upstreams.join(" "));
  assert.match(caddyfile, /health_uri \/readyz\n/);
  const { networks } = compose.services.proxy as ComposeService;
  const address = (networks as Readonly<Record<string, { ipv4_address: string }>>).edge?.ipv4_address;
  for (const [name, service] of nodes) assert.deepEqual(configOf(service).http.trustedProxies, [address], name);
});

test("the proxy's own answers tell browsers in production to come by https alone, and the nodes' are left as they are", () => {
  assert.ok(caddyfile.includes('@production expression `"{$CROSSDOCK_ENVIRONMENT}" == "production"`'));
  assert.match(caddyfile, /\theader @production \?Strict-Transport-Security "max-age=31536000"\n/);
  assert.equal(compose.services.proxy?.env_file, "deploy/compose/crossdock.env");
});

test("no other container can get the proxy's address", () => {
  const [{ subnet, ip_range } = assert.fail("no addresses")] = compose.networks.edge?.ipam?.config ?? [];
  assert.match(subnet, /^10\.203\.83\.0\/24$/);
  assert.equal(ip_range, "10.203.83.128/25");
});

test("the drain lasts until the proxy has seen it, and a container is killed only after drain and stop", () => {
  const [, interval] = /health_interval (\d+s)/.exec(caddyfile) ?? [];
  const [, timeout] = /health_timeout (\d+s)/.exec(caddyfile) ?? [];
  for (const [name, service] of servers) {
    const { drainSeconds } = settingsOf(service);
    assert.ok(drainSeconds >= 2 * seconds(interval) + seconds(timeout), name);
    assert.ok(seconds(service.stop_grace_period) >= drainSeconds + 5 + 5, name);
  }
});

test("the database is reached from inside only, holds back nothing that was acknowledged, and has room for every pool", () => {
  const { postgres } = compose.services;
  assert.equal(compose.networks.database?.internal, true);
  assert.deepEqual(networksOf(postgres as ComposeService), ["database"]);
  assert.equal(postgres?.ports, undefined);
  const settings = new Map(
    (postgres?.command ?? []).map((word) => word.replace(/^--/, "").split("=") as [string, string]),
  );
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) assert.equal(settings.get(name), "on");
  const pools = servers.map(([, service]) => rolesOf(service).length * settingsOf(service).database.poolSize);
  const inUse = pools.reduce((sum, pool) => sum + pool, 0);
  assert.ok(inUse <= Number(settings.get("max_connections")) * 0.75, `${inUse} connections`);
});

test("only the proxy, SFTP and the machine's own mail screen are published", () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
  assert.deepEqual(published.sort(), ["mail 127.0.0.1:8025:8025", "proxy 443:443", "proxy 80:80", "sftp 2222:2222"]);
  assert.match(caddyfile, /@internal path \/metrics \/healthz \/readyz\n\trespond @internal 404/);
});

test("while the master key is changed, every server knows the second one", () => {
  const rotation = parse(read("deploy/compose/rotation.yaml")) as Pick<ComposeFile, "services" | "secrets">;
  assert.deepEqual(faultsOfCompose(rotation), []);
  assert.deepEqual(Object.keys(rotation.services).sort(), servers.map(([name]) => name).sort());
  const [[secret, { file }] = assert.fail("there is no second key")] = Object.entries(rotation.secrets);
  assert.equal(path.posix.dirname(file), "deploy/compose/secrets");
  for (const { environment, secrets } of Object.values(rotation.services)) {
    assert.deepEqual(secrets, [secret]);
    assert.deepEqual(environment, { CROSSDOCK_SECRET_PREVIOUS_FILE: `/run/secrets/${secret}` });
    assert.ok(configVariableNames.includes("CROSSDOCK_SECRET_PREVIOUS"));
  }
});
