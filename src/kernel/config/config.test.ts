import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { type Config, describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import type { ConfigFault, EnvironmentTexts } from "#/kernel/config/env-file.ts";
import { noFaults, parseTrackingSecrets } from "#/kernel/config/parsers.ts";
import { roleNames } from "#/kernel/config/role-names.ts";
import { configVariables } from "#/kernel/config/variables.ts";

const key = "0123456789abcdef0123456789abcdef";

/** A disk with the given files, and `/srv/crossdock` as the working directory. */
function optionsWith(files: Record<string, string> = {}) {
  return {
    cwd: "/srv/crossdock",
    readFile: (path: string): string => {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
      return content;
    },
  };
}

function configOf(env: EnvironmentTexts, files?: Record<string, string>): Config {
  const result = loadConfig(env, optionsWith(files));
  assert.ok(result.ok, result.ok ? "" : describeConfigFaults(result.fault));
  return result.value;
}

function faultsOf(env: EnvironmentTexts, files?: Record<string, string>): readonly ConfigFault[] {
  const result = loadConfig(env, optionsWith(files));
  assert.ok(!result.ok, "the configuration was taken");
  return result.fault;
}

describe("configuration", () => {
  test("an empty environment has the contract's defaults", () => {
    assert.deepEqual(configOf({}), {
      environment: "sandbox",
      dataDir: "/srv/crossdock/data",
      database: { url: undefined, directUrl: undefined, poolSize: 10, isRowSecure: false, hasClientNodes: true },
      http: {
        host: "127.0.0.1",
        port: 8080,
        baseUrl: undefined,
        authUrl: undefined,
        feedUrl: undefined,
        tls: undefined,
        trustedProxies: [],
        bodyMemoryMiB: undefined,
        securityContact: "mailto:crossdock@localhost",
      },
      sftp: { port: 2222 },
      roles: roleNames,
      drainSeconds: 0,
      seedDemo: true,
      demoHistory: true,
      secret: undefined,
      secretPrevious: undefined,
      tokenTtlSeconds: 3600,
      signIn: { isLocal: true, provider: undefined, secondFactorOf: [] },
      rateLimit: { perSecond: 100 },
      requestLog: "all",
      gs1Prefix: "0614141",
      mail: { smtpUrl: undefined, from: { name: undefined, address: "crossdock@localhost" } },
      webhooks: {
        allowPrivate: true,
        privateTargets: [],
        isTerse: false,
        retryDelaysSeconds: undefined,
      },
      warehouseSim: {
        enabled: true,
        speed: 1,
        seed: "crossdock",
        faults: noFaults,
      },
      log: { level: "info", format: "json", destination: "file" },
      restored: undefined,
      trackingSecrets: {},
      telemetry: {
        endpoint: undefined,
        headers: {},
        serviceName: "crossdock",
        resourceAttributes: {},
        sendsTraces: true,
        sendsMetrics: true,
        sampledRatio: 1,
        metricEveryMs: 60_000,
      },
    });
  });

  test("the log is pretty on a terminal", () => {
    const result = loadConfig({}, { ...optionsWith(), isTerminal: true });
    assert.equal(result.ok && result.value.log.format, "pretty");
  });

  test("standard output is the log by default, except in a sandbox, whose greeting goes there", () => {
    const destinationOf = (env: EnvironmentTexts) => configOf(env).log.destination;
    const production = {
      CROSSDOCK_ENVIRONMENT: "production",
      CROSSDOCK_SECRET: "k".repeat(32),
      CROSSDOCK_GS1_PREFIX: "9521321",
    };
    assert.deepEqual(
      [{}, { CROSSDOCK_ENVIRONMENT: "staging" }, production, { ...production, CROSSDOCK_LOG: "file" }].map(
        destinationOf,
      ),
      ["file", "stdout", "stdout", "file"],
    );
  });

  test("staging has no demo, no simulated warehouse and no private targets by default", () => {
    const { seedDemo, warehouseSim, webhooks, gs1Prefix } = configOf({ CROSSDOCK_ENVIRONMENT: "staging" });
    assert.deepEqual(
      [seedDemo, warehouseSim.enabled, webhooks.allowPrivate, gs1Prefix],
      [false, false, false, "0614141"],
    );
    assert.equal(configOf({ CROSSDOCK_ENVIRONMENT: "staging", CROSSDOCK_SEED_DEMO: "true" }).seedDemo, true);
  });

  test("a sandbox allows private targets only while it is reachable from its own machine alone", () => {
    const allows = (env: EnvironmentTexts) => configOf(env).webhooks.allowPrivate;
    for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
      assert.ok(allows({ CROSSDOCK_HOST: host }), host);
    for (const host of ["0.0.0.0", "::", "10.0.0.1", "crossdock.example"]) {
      assert.ok(!allows({ CROSSDOCK_HOST: host }), host);
    }
    for (const name of ["CROSSDOCK_BASE_URL", "CROSSDOCK_AUTH_URL", "CROSSDOCK_FEED_URL"]) {
      assert.ok(!allows({ [name]: "https://sandbox.example.com" }), name);
    }
    assert.ok(allows({ CROSSDOCK_HOST: "0.0.0.0", CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: "true" }));
  });

  test("every variable reaches the configuration", () => {
    const config = configOf(
      {
        DATABASE_URL: "postgres://app:pw@pooler:6432/crossdock",
        CROSSDOCK_DIRECT_DATABASE_URL: "postgresql://app:pw@db/crossdock",
        CROSSDOCK_DB_POOL: "25",
        CROSSDOCK_ROW_SECURITY: "true",
        CROSSDOCK_CITUS_WORKERS: "false",
        CROSSDOCK_DATA_DIR: "/var/lib/cross dock",
        CROSSDOCK_ENVIRONMENT: "Staging",
        CROSSDOCK_HOST: "::",
        PORT: "0",
        CROSSDOCK_SFTP_PORT: "off",
        CROSSDOCK_BASE_URL: "https://api.example.com/",
        CROSSDOCK_AUTH_URL: "https://auth.example.com/oauth/",
        CROSSDOCK_FEED_URL: "https://feeds.example.com",
        CROSSDOCK_TLS_CERT: "tls/cert.pem",
        CROSSDOCK_TLS_KEY: "-----BEGIN EC PRIVATE KEY-----\nx",
        CROSSDOCK_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
        CROSSDOCK_BODY_MEMORY: "256",
        CROSSDOCK_ROLES: "worker, api,worker",
        CROSSDOCK_DRAIN_SECONDS: "20",
        CROSSDOCK_SEED_DEMO: "1",
        CROSSDOCK_DEMO_HISTORY: "false",
        CROSSDOCK_SECRET: key,
        CROSSDOCK_SECRET_PREVIOUS: `${key}-`,
        CROSSDOCK_TOKEN_TTL: "900",
        CROSSDOCK_LOCAL_SIGN_IN: "off",
        CROSSDOCK_SECOND_FACTOR: "admin, operator",
        CROSSDOCK_OIDC_ISSUER: "https://login.example.com/app/",
        CROSSDOCK_OIDC_CLIENT_ID: "crossdock at staging",
        CROSSDOCK_OIDC_CLIENT_SECRET: "a secret",
        CROSSDOCK_OIDC_NAME: "Example ID",
        CROSSDOCK_OIDC_SCOPE: "openid  groups",
        CROSSDOCK_OIDC_NAME_CLAIM: "upn",
        CROSSDOCK_OIDC_GROUPS_CLAIM: "https://example.com/groups",
        CROSSDOCK_OIDC_ACCESS: '[{"group":"dc1","role":"operator","clients":["ACME"],"facilities":["DC1"]}]',
        CROSSDOCK_RATE_LIMIT: "250/s",
        CROSSDOCK_REQUEST_LOG: "failures",
        CROSSDOCK_GS1_PREFIX: "9521321",
        CROSSDOCK_SMTP_URL: "smtps://u:p@mail.example.com",
        CROSSDOCK_MAIL_FROM: "Crossdock Alerts <alerts@example.com>",
        CROSSDOCK_SECURITY_CONTACT: "https://example.com/security",
        CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: "yes",
        CROSSDOCK_PRIVATE_TARGETS: "192.168.1.0/24,fd00::/8",
        CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,1,5",
        CROSSDOCK_WAREHOUSE_SIM: "on",
        CROSSDOCK_WAREHOUSE_SIM_SPEED: "0.5",
        CROSSDOCK_WAREHOUSE_SIM_SEED: "monday",
        CROSSDOCK_WAREHOUSE_SIM_FAULTS: "shortPick=0.02, lostParcel=1",
        CROSSDOCK_LOG: "stdout",
        CROSSDOCK_LOG_LEVEL: "debug",
        CROSSDOCK_LOG_FORMAT: "pretty",
        CROSSDOCK_RESTORED: "2026-11-21 04:00+01",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
        CROSSDOCK_TRACKING_SECRETS: "easypost=0123456789abcdef",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
        OTEL_SERVICE_NAME: "crossdock-api",
        OTEL_RESOURCE_ATTRIBUTES: "k8s.pod.name=api-1, team=a%2Cb",
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_METRICS_EXPORTER: "none",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        OTEL_METRIC_EXPORT_INTERVAL: "15000",
      },
      { "/srv/crossdock/tls/cert.pem": "-----BEGIN CERTIFICATE-----\nx" },
    );
    assert.deepEqual(config, {
      environment: "staging",
      dataDir: "/var/lib/cross dock",
      database: {
        url: "postgres://app:pw@pooler:6432/crossdock",
        directUrl: "postgresql://app:pw@db/crossdock",
        poolSize: 25,
        isRowSecure: true,
        hasClientNodes: false,
      },
      http: {
        host: "::",
        port: 0,
        baseUrl: "https://api.example.com",
        authUrl: "https://auth.example.com/oauth",
        feedUrl: "https://feeds.example.com",
        tls: { cert: "-----BEGIN CERTIFICATE-----\nx", key: "-----BEGIN EC PRIVATE KEY-----\nx" },
        trustedProxies: ["10.0.0.0/8", "::1"],
        bodyMemoryMiB: 256,
        securityContact: "https://example.com/security",
      },
      sftp: { port: "off" },
      roles: ["api", "worker"],
      drainSeconds: 20,
      seedDemo: true,
      demoHistory: false,
      secret: key,
      secretPrevious: `${key}-`,
      tokenTtlSeconds: 900,
      signIn: {
        isLocal: false,
        secondFactorOf: ["operator", "admin"],
        provider: {
          issuer: "https://login.example.com/app/",
          name: "Example ID",
          scope: "openid groups",
          clientId: "crossdock at staging",
          clientSecret: "a secret",
          nameClaim: "upn",
          groupsClaim: "https://example.com/groups",
          access: [{ group: "dc1", role: "operator", clientIds: ["ACME"], facilityCodes: ["DC1"] }],
        },
      },
      rateLimit: { perSecond: 250 },
      requestLog: "failures",
      gs1Prefix: "9521321",
      mail: {
        smtpUrl: "smtps://u:p@mail.example.com",
        from: { name: "Crossdock Alerts", address: "alerts@example.com" },
      },
      webhooks: {
        allowPrivate: true,
        privateTargets: ["192.168.1.0/24", "fd00::/8"],
        isTerse: true,
        retryDelaysSeconds: [0.2, 1, 5],
      },
      warehouseSim: {
        enabled: true,
        speed: 0.5,
        seed: "monday",
        faults: { ...noFaults, shortPick: 0.02, lostParcel: 1 },
      },
      log: { level: "debug", format: "pretty", destination: "stdout" },
      restored: "2026-11-21T03:00:00.000Z",
      trackingSecrets: { easypost: ["0123456789abcdef"] },
      telemetry: {
        endpoint: "http://collector:4318",
        headers: { authorization: "Bearer abc" },
        serviceName: "crossdock-api",
        resourceAttributes: { "k8s.pod.name": "api-1", team: "a,b" },
        sendsTraces: true,
        sendsMetrics: false,
        sampledRatio: 0.25,
        metricEveryMs: 15_000,
      },
    });
  });

  test("wrong values of every variable are listed at once, and those of secrets not shown", () => {
    const wrong: Record<string, string> = {};
    for (const { name } of Object.values(configVariables)) wrong[name] = "wrong <value>";
    wrong.CROSSDOCK_DATA_DIR = "with\0null";
    for (const name of ["CLIENT_ID", "CLIENT_SECRET", "NAME", "NAME_CLAIM", "GROUPS_CLAIM"]) {
      wrong[`CROSSDOCK_OIDC_${name}`] = "two\nlines";
    }
    const faults = faultsOf(wrong);
    assert.deepEqual(
      faults.map(({ name }) => name).sort(),
      Object.values(configVariables)
        .map(({ name }) => name)
        .sort(),
    );
    for (const variable of Object.values(configVariables)) {
      const fault = faults.find(({ name }) => name === variable.name);
      assert.ok(fault !== undefined);
      assert.equal(fault.value, variable.isSecret ? undefined : wrong[variable.name], variable.name);
      if (variable.isSecret) assert.ok(!fault.text.includes("wrong"), fault.text);
    }
  });

  for (const [name, values] of Object.entries({
    PORT: ["65536", "-1", "80.5", "0x50", "http"],
    CROSSDOCK_DB_POOL: ["0", "1001", "ten"],
    CROSSDOCK_SFTP_PORT: ["none", "70000"],
    CROSSDOCK_ENVIRONMENT: ["prod", "test"],
    CROSSDOCK_BASE_URL: ["api.example.com", "ftp://example.com", "https://u:p@example.com", "https://example.com/?a=b"],
    CROSSDOCK_TRUSTED_PROXIES: [
      "10.0.0.0/33",
      "10.0.0",
      "10.0.0.1;10.0.0.2",
      "::1/129",
      "proxy",
      "10.0.0.1/8/8",
      "0.0.0.0/0",
      "10.0.0.1,::/0",
    ],
    CROSSDOCK_BODY_MEMORY: ["83", "1.5", "64MB"],
    CROSSDOCK_ROLES: ["api,printer", "API", "api,,feeds"],
    CROSSDOCK_SECRET: [key.slice(1)],
    CROSSDOCK_TOKEN_TTL: ["0", "86401"],
    CROSSDOCK_OIDC_ISSUER: [
      "login.example.com",
      "ftp://login.example.com",
      "https://u:p@example.com",
      "https://a.b/?c",
    ],
    CROSSDOCK_OIDC_SCOPE: ["profile email", 'openid "groups"'],
    CROSSDOCK_OIDC_ACCESS: ["admins", "{}", "[]", '[{"group":"dc1"}]'],
    CROSSDOCK_RATE_LIMIT: ["100", "0/s", "100/m", "-1/s"],
    CROSSDOCK_GS1_PREFIX: ["061414", "06141410000", "061414X"],
    CROSSDOCK_SECURITY_CONTACT: ["security", "http://example.com", "a@example.com, b@example.com"],
    CROSSDOCK_MAIL_FROM: ["alerts", "a@example.com, b@example.com", "A <a@example.com>\r\nBcc: b@example.com", "<>"],
    CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: ["5,", "5;30", "-1", "5s"],
    CROSSDOCK_WAREHOUSE_SIM_SPEED: ["0", "-1", "fast"],
    CROSSDOCK_WAREHOUSE_SIM_SEED: ["two words", "x".repeat(65)],
    CROSSDOCK_WAREHOUSE_SIM_FAULTS: ["shortPick", "shortPick=2", "fire=0.1", "damage=0.1=0.2", "damage=-1"],
    CROSSDOCK_LOG_LEVEL: ["verbose"],
    CROSSDOCK_RESTORED: ["maybe", "2026-11-21", "2026-11-21T03:00:00", "2026-13-21T03:00:00Z"],
    DATABASE_URL: ["mysql://db/crossdock", "db:5432"],
    OTEL_EXPORTER_OTLP_ENDPOINT: ["collector:4318", "http://collector:4318?key=1"],
    OTEL_EXPORTER_OTLP_HEADERS: ["authorization", "two words=1", "key=%C3%A4", "key=%zz"],
    OTEL_RESOURCE_ATTRIBUTES: ["pod"],
    OTEL_TRACES_EXPORTER: ["zipkin"],
    OTEL_TRACES_SAMPLER: ["jaeger_remote"],
    OTEL_TRACES_SAMPLER_ARG: ["1.5", "half", "-1"],
    OTEL_METRIC_EXPORT_INTERVAL: ["0", "1 minute"],
  })) {
    test(`${name} refuses wrong values`, () => {
      for (const value of values) {
        const faults = faultsOf({ [name]: value });
        assert.deepEqual(
          faults.map((fault) => fault.name),
          [name],
          value,
        );
      }
    });
  }

  test("production demands a master key and a company prefix, and refuses the simulated warehouse", () => {
    const production = { CROSSDOCK_ENVIRONMENT: "production" };
    assert.deepEqual(
      faultsOf({ ...production, CROSSDOCK_WAREHOUSE_SIM: "true", CROSSDOCK_ROLES: "warehouse-sim" }).map((f) => f.name),
      ["CROSSDOCK_SECRET", "CROSSDOCK_GS1_PREFIX", "CROSSDOCK_WAREHOUSE_SIM", "CROSSDOCK_ROLES"],
    );
    const config = configOf({ ...production, CROSSDOCK_SECRET: key, CROSSDOCK_GS1_PREFIX: "9521321" });
    assert.deepEqual(
      [config.warehouseSim.enabled, config.seedDemo, config.webhooks.allowPrivate],
      [false, false, false],
    );
    assert.ok(!config.roles.includes("warehouse-sim"));
  });

  test("a wrong value is not also reported as missing", () => {
    const faults = faultsOf({
      CROSSDOCK_ENVIRONMENT: "production",
      CROSSDOCK_SECRET_FILE: "secret",
      CROSSDOCK_GS1_PREFIX: "1",
    });
    assert.deepEqual(
      faults.map(({ name }) => name),
      ["CROSSDOCK_SECRET_FILE", "CROSSDOCK_GS1_PREFIX"],
    );
  });

  test("a certificate needs its key, a key its certificate, a direct database the one it goes around", () => {
    const certificate = "-----BEGIN CERTIFICATE-----";
    const faults: [EnvironmentTexts, string][] = [
      [{ CROSSDOCK_TLS_CERT: certificate }, "CROSSDOCK_TLS_KEY"],
      [{ CROSSDOCK_TLS_KEY: "-----BEGIN PRIVATE KEY-----" }, "CROSSDOCK_TLS_CERT"],
      [{ CROSSDOCK_TLS_CERT: certificate, CROSSDOCK_TLS_KEY: certificate }, "CROSSDOCK_TLS_KEY"],
      [{ CROSSDOCK_DIRECT_DATABASE_URL: "postgres://db/crossdock" }, "DATABASE_URL"],
    ];
    for (const [env, name] of faults) {
      assert.deepEqual(
        faultsOf(env).map((fault) => fault.name),
        [name],
      );
    }
  });

  const provided = {
    CROSSDOCK_OIDC_ISSUER: "https://login.example.com/realms/wms/",
    CROSSDOCK_OIDC_CLIENT_ID: "crossdock",
    CROSSDOCK_OIDC_ACCESS: '[{"group":"wms-admins","role":"admin"}]',
  };

  test("an identity provider has an issuer as its metadata name it, a client and rules; the rest has defaults", () => {
    const { provider } = configOf(provided).signIn;
    assert.deepEqual(provider, {
      issuer: "https://login.example.com/realms/wms/",
      name: "login.example.com",
      clientId: "crossdock",
      clientSecret: undefined,
      scope: "openid profile email",
      nameClaim: "preferred_username",
      groupsClaim: "groups",
      access: [{ group: "wms-admins", role: "admin", clientIds: null, facilityCodes: null }],
    });
    const files = { "/run/secrets/oidc": "a secret\n", "/srv/crossdock/access.json": provided.CROSSDOCK_OIDC_ACCESS };
    const { CROSSDOCK_OIDC_ACCESS: _, ...without } = provided;
    const named = { CROSSDOCK_OIDC_CLIENT_SECRET_FILE: "/run/secrets/oidc", CROSSDOCK_OIDC_ACCESS_FILE: "access.json" };
    const fromFiles = configOf({ ...without, ...named }, files).signIn.provider;
    assert.deepEqual([fromFiles?.clientSecret, fromFiles?.access.length], ["a secret", 1]);
  });

  test("missing settings of an identity provider, and settings without one, are reported", () => {
    const staging = { CROSSDOCK_ENVIRONMENT: "staging" };
    const base = { CROSSDOCK_BASE_URL: "https://wms.example.com" };
    const plainHttp = { CROSSDOCK_OIDC_ISSUER: "http://login.example.com" };
    const faults: [EnvironmentTexts, readonly string[]][] = [
      [{ CROSSDOCK_LOCAL_SIGN_IN: "off" }, ["CROSSDOCK_LOCAL_SIGN_IN"]],
      [{ CROSSDOCK_OIDC_CLIENT_ID: "crossdock" }, ["CROSSDOCK_OIDC_ISSUER"]],
      [{ CROSSDOCK_OIDC_GROUPS_CLAIM: "roles" }, ["CROSSDOCK_OIDC_ISSUER"]],
      [plainHttp, ["CROSSDOCK_OIDC_CLIENT_ID", "CROSSDOCK_OIDC_ACCESS"]],
      [{ ...provided, CROSSDOCK_OIDC_SCOPE: "profile" }, ["CROSSDOCK_OIDC_SCOPE"]],
      [{ ...provided, ...staging }, ["CROSSDOCK_BASE_URL"]],
      [{ ...provided, ...staging, ...base, ...plainHttp }, ["CROSSDOCK_OIDC_ISSUER"]],
    ];
    for (const [env, names] of faults) {
      assert.deepEqual(
        faultsOf(env).map(({ name }) => name),
        names,
      );
    }
    assert.equal(configOf({ ...provided, ...plainHttp }).signIn.provider?.issuer, "http://login.example.com/");
    assert.equal(configOf({ ...provided, ...staging, ...base, CROSSDOCK_LOCAL_SIGN_IN: "off" }).signIn.isLocal, false);
    const [fault] = faultsOf({ ...provided, CROSSDOCK_OIDC_ACCESS: '[{"group":"x","role":"boss"}]' });
    assert.match(fault?.text ?? "", /^rule 1: "role" is "boss"; expected developer, viewer, operator, admin$/);
    const [secret] = faultsOf({ ...provided, CROSSDOCK_OIDC_CLIENT_SECRET: "two\nlines" });
    assert.deepEqual([secret?.name, secret?.value], ["CROSSDOCK_OIDC_CLIENT_SECRET", undefined]);
  });
});

test("secrets of tracking webhooks are read by source, and a wrong one is refused without its text", () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const read = parseTrackingSecrets(
    `easypost=0123456789abcdef 0123456789abcdeg, shipstation=${encodeURIComponent(key)}`,
  );
  assert.deepEqual(read, {
    ok: true,
    value: { easypost: ["0123456789abcdef", "0123456789abcdeg"], shipstation: [key] },
  });
  const faults = {
    "ups=0123456789abcdef": /^expected secrets of easypost, shippo, aftership, shipstation, generic$/,
    "easypost=too-short": /^a secret of easypost has at least 16 characters$/,
    "generic=": /^a secret of generic has at least 16 characters$/,
    "shipstation=0123456789abcdef": /^a secret of shipstation is a public RSA key/,
    "0123456789abcdef": /^expected name=value pairs/,
  };
  for (const [text, pattern] of Object.entries(faults)) {
    const refusal = parseTrackingSecrets(text);
    assert.ok(!refusal.ok && pattern.test(refusal.fault), text);
  }
});
