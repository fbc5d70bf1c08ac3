/**
 * Every variable of the environment, in the order in which docs/configuration.md lists them: its parser, its default,
 * its meaning. @see contract/operations.md §3.
 */

import {
  integerBetween,
  numberAbove,
  oneOf,
  type Parser,
  parseAttributes,
  parseBoolean,
  parseDelays,
  parseFaultRates,
  parseGs1Prefix,
  parseHeaders,
  parseHost,
  parseIssuer,
  parseLine,
  parseMailAddress,
  parseNetworks,
  parsePath,
  parsePort,
  parsePortOrOff,
  parseProxies,
  parsePublicUrl,
  parseRateLimit,
  parseRatio,
  parseRestored,
  parseScope,
  parseSecret,
  parseSecurityContact,
  parseSeed,
  parseTrackingSecrets,
  samplers,
  urlOf,
} from "#/kernel/config/parsers.ts";
import { parseRoleNames } from "#/kernel/config/role-names.ts";
import { parseAccessRules, parseRolesWithFactor } from "#/kernel/security/access-rules.ts";
import { hourMs } from "#/kernel/values/durations.ts";

export const environments = ["sandbox", "staging", "production"] as const;
export type Environment = (typeof environments)[number];

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ["pretty", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

export const logDestinations = ["file", "stdout"] as const;
export type LogDestination = (typeof logDestinations)[number];

/** Which requests of clients the request log has: all, those that change something or fail, those that fail, or none. */
export const requestLogLevels = ["all", "writes", "failures", "off"] as const;
export type RequestLogLevel = (typeof requestLogLevels)[number];

export interface ConfigVariable<Value> {
  readonly name: string;
  readonly parse: Parser<Value>;
  /** The default in words, for the reference. */
  readonly standard: string;
  /** The default as the environment would have it, where it does not depend on other variables. */
  readonly text?: string;
  readonly meaning: string;
  /** The value is never shown, not even in a fault about it. */
  readonly isSecret: boolean;
}

/** @param text the value, as the environment would have it, where it is not set */
function defaulted<Value>(name: string, parse: Parser<Value>, text: string, meaning: string) {
  return { name, parse, standard: `\`${text}\``, text, meaning, isSecret: false };
}

function plain<Value>(name: string, parse: Parser<Value>, standard: string, meaning: string): ConfigVariable<Value> {
  return { name, parse, standard, meaning, isSecret: false };
}

function secret<Value>(name: string, parse: Parser<Value>, standard: string, meaning: string): ConfigVariable<Value> {
  return { name, parse, standard, meaning, isSecret: true };
}

const parseDatabaseUrl = urlOf(["postgres:", "postgresql:"], "an address such as postgres://user:password@host/name");
const parseSmtpUrl = urlOf(["smtp:", "smtps:"], "an address such as smtps://user:password@host");

export const configVariables = {
  databaseUrl: secret("DATABASE_URL", parseDatabaseUrl, "(embedded)", "PostgreSQL ≥ 15 or a Citus coordinator"),
  directDatabaseUrl: secret(
    "CROSSDOCK_DIRECT_DATABASE_URL",
    parseDatabaseUrl,
    "`DATABASE_URL`",
    "the same database for LISTEN, locks and migrations, when a pooler is in between",
  ),
  dbPool: defaulted("CROSSDOCK_DB_POOL", integerBetween(1, 1000), "10", "connections per role"),
  rowSecurity: defaulted(
    "CROSSDOCK_ROW_SECURITY",
    parseBoolean,
    "false",
    "PostgreSQL also checks the client of every statement, by row-level security; not with Citus or a transaction pooler",
  ),
  citusWorkers: defaulted(
    "CROSSDOCK_CITUS_WORKERS",
    parseBoolean,
    "true",
    "on Citus, connections also lead to the worker that has a client's rows; `false`: to the coordinator alone",
  ),
  dataDir: defaulted("CROSSDOCK_DATA_DIR", parsePath, "./data", "embedded database, host keys, generated secrets"),
  environment: defaulted(
    "CROSSDOCK_ENVIRONMENT",
    oneOf(environments),
    "sandbox",
    "`sandbox`, `staging` or `production`; keys contain it, and a key of another environment is refused",
  ),
  host: defaulted("CROSSDOCK_HOST", parseHost, "127.0.0.1", "address that HTTP and SFTP listen on"),
  port: defaulted(
    "PORT",
    parsePort,
    "8080",
    "HTTP port; every process has at least its health checks there; `0` chooses a free port and prints it",
  ),
  sftpPort: defaulted(
    "CROSSDOCK_SFTP_PORT",
    parsePortOrOff,
    "2222",
    "SFTP port; `0` chooses a free port, `off` disables SFTP",
  ),
  baseUrl: plain("CROSSDOCK_BASE_URL", parsePublicUrl, "the listener", "public address of REST and the console"),
  authUrl: plain("CROSSDOCK_AUTH_URL", parsePublicUrl, "the listener", "public address of the token endpoint"),
  feedUrl: plain("CROSSDOCK_FEED_URL", parsePublicUrl, "the listener", "public address of the feeds"),
  tlsCert: plain("CROSSDOCK_TLS_CERT", parsePath, "none", "certificate chain: PEM text, or the path of a PEM file"),
  tlsKey: secret("CROSSDOCK_TLS_KEY", parsePath, "none", "its private key: PEM text, or the path of a PEM file"),
  trustedProxies: plain(
    "CROSSDOCK_TRUSTED_PROXIES",
    parseProxies,
    "none",
    "addresses or CIDRs of the proxies whose forwarded addresses are trusted",
  ),
  roles: plain(
    "CROSSDOCK_ROLES",
    parseRoleNames,
    "all (in production without `warehouse-sim`)",
    "roles of this process, as `serve --roles`",
  ),
  drainSeconds: defaulted(
    "CROSSDOCK_DRAIN_SECONDS",
    integerBetween(0, 600),
    "0",
    "how long a process continues to serve after SIGTERM while `/readyz` answers 503; Ctrl-C never waits",
  ),
  seedDemo: plain("CROSSDOCK_SEED_DEMO", parseBoolean, "`true` in sandbox, else `false`", "demo data on first start"),
  demoHistory: defaulted(
    "CROSSDOCK_DEMO_HISTORY",
    parseBoolean,
    "true",
    "the demo has weeks of history and orders in every state; `false`: its brands, goods, stock and one document of each feed",
  ),
  secret: secret(
    "CROSSDOCK_SECRET",
    parseSecret,
    "generated into the data directory; required in production",
    "master key, at least 32 characters: encrypts stored secrets, signs sessions",
  ),
  secretPrevious: secret(
    "CROSSDOCK_SECRET_PREVIOUS",
    parseSecret,
    "none",
    "a second master key for decryption during a change of the key: docs/keys-and-data.md",
  ),
  tokenTtl: defaulted("CROSSDOCK_TOKEN_TTL", integerBetween(1, 86_400), "3600", "life of an access token in seconds"),
  localSignIn: defaulted(
    "CROSSDOCK_LOCAL_SIGN_IN",
    parseBoolean,
    "true",
    "`false`: no sign-in to the console with a password; requires an identity provider",
  ),
  secondFactor: plain(
    "CROSSDOCK_SECOND_FACTOR",
    parseRolesWithFactor,
    "off",
    "roles whose local accounts need a second factor, such as `operator,admin`; `all`, `off`: docs/second-factor.md",
  ),
  oidcIssuer: plain(
    "CROSSDOCK_OIDC_ISSUER",
    parseIssuer,
    "off",
    "issuer of the OpenID Connect provider for users of the console, as in its `/.well-known/openid-configuration`: docs/single-sign-on.md",
  ),
  oidcClientId: plain("CROSSDOCK_OIDC_CLIENT_ID", parseLine, "none", "name of this deployment at the provider"),
  oidcClientSecret: secret(
    "CROSSDOCK_OIDC_CLIENT_SECRET",
    parseLine,
    "none: a public client",
    "client secret of this deployment at the provider",
  ),
  oidcName: plain("CROSSDOCK_OIDC_NAME", parseLine, "the issuer's host", "name of the provider on the sign-in screen"),
  oidcScope: plain("CROSSDOCK_OIDC_SCOPE", parseScope, "`openid profile email`", "requested scopes"),
  oidcNameClaim: plain(
    "CROSSDOCK_OIDC_NAME_CLAIM",
    parseLine,
    "`preferred_username`",
    "claim of the user name at the first sign-in",
  ),
  oidcGroupsClaim: plain("CROSSDOCK_OIDC_GROUPS_CLAIM", parseLine, "`groups`", "claim that lists the user's groups"),
  oidcAccess: plain(
    "CROSSDOCK_OIDC_ACCESS",
    parseAccessRules,
    "none",
    'rights of each group, as JSON: `[{"group":"dc1","role":"operator","clients":["LUMEN"],"facilities":["DC1"]}]`',
  ),
  rateLimit: defaulted(
    "CROSSDOCK_RATE_LIMIT",
    parseRateLimit,
    "100/s",
    "per credential over all nodes (± 20 %); `off`",
  ),
  requestLog: defaulted(
    "CROSSDOCK_REQUEST_LOG",
    oneOf(requestLogLevels),
    "all",
    "requests of clients in the request log: `all`, `writes` (without reads that succeed), `failures` or `off`",
  ),
  bodyMemory: plain(
    "CROSSDOCK_BODY_MEMORY",
    integerBetween(84, 1_048_576),
    "an eighth of the memory limit, from 84 to 1024",
    "MiB for the bodies of requests at a time; one client may use a quarter, and at least 42",
  ),
  gs1Prefix: plain(
    "CROSSDOCK_GS1_PREFIX",
    parseGs1Prefix,
    "`0614141` outside production, else required",
    "company prefix of the SSCCs, 7–10 digits",
  ),
  smtpUrl: secret("CROSSDOCK_SMTP_URL", parseSmtpUrl, "mail is kept and shown in the console", "server for alert mail"),
  mailFrom: defaulted("CROSSDOCK_MAIL_FROM", parseMailAddress, "crossdock@localhost", "sender of alert mail"),
  securityContact: plain(
    "CROSSDOCK_SECURITY_CONTACT",
    parseSecurityContact,
    "`CROSSDOCK_MAIL_FROM`",
    "contact for security reports, a mail or https address: `/.well-known/security.txt` names it",
  ),
  allowPrivateWebhooks: plain(
    "CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS",
    parseBoolean,
    "`true` in sandbox while only this machine reaches the listener and no public address is set, else `false`",
    "webhook and push targets on any private address",
  ),
  privateTargets: plain(
    "CROSSDOCK_PRIVATE_TARGETS",
    parseNetworks,
    "none",
    "private addresses or CIDRs that are allowed as webhook and push targets",
  ),
  webhookRetrySchedule: plain(
    "CROSSDOCK_WEBHOOK_RETRY_SCHEDULE",
    parseDelays,
    "17 attempts over eight days",
    "delays between the attempts of a delivery, in seconds, separated by commas",
  ),
  warehouseSim: plain(
    "CROSSDOCK_WAREHOUSE_SIM",
    parseBoolean,
    "`true` in sandbox, else `false`",
    "simulated warehouse; refused in production",
  ),
  warehouseSimSpeed: defaulted(
    "CROSSDOCK_WAREHOUSE_SIM_SPEED",
    numberAbove(0, 1_000_000),
    "1",
    "speed of its clock: `2` is twice as fast",
  ),
  warehouseSimSeed: defaulted(
    "CROSSDOCK_WAREHOUSE_SIM_SEED",
    parseSeed,
    "crossdock",
    "seed of its random draws: with the same seed, the same events happen to the same object",
  ),
  warehouseSimFaults: plain(
    "CROSSDOCK_WAREHOUSE_SIM_FAULTS",
    parseFaultRates,
    "none: all `0`",
    "rates of faults in it, such as `shortPick=0.02,damage=0.01,lateCarrier=0.05,lostParcel=0.001`",
  ),
  logDestination: plain(
    "CROSSDOCK_LOG",
    oneOf(logDestinations),
    "`file` in a sandbox, else `stdout`",
    "`stdout`: standard output has the log and nothing else; `file`: the log is in `crossdock.log` of the data directory, and a sandbox prints its greeting",
  ),
  logLevel: defaulted("CROSSDOCK_LOG_LEVEL", oneOf(logLevels), "info", `${logLevels.join(", ")}`),
  logFormat: plain("CROSSDOCK_LOG_FORMAT", oneOf(logFormats), "`pretty` on a terminal, else `json`", "form of the log"),
  restored: plain(
    "CROSSDOCK_RESTORED",
    parseRestored,
    "off",
    "after a restore: deliveries, allocation and tasks wait for an operator's release, SSCCs jump ahead; the restored time, such as `2026-11-21T03:00:00Z`, or `true`",
  ),
  otlpEndpoint: plain(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    parsePublicUrl,
    "off",
    "collector of traces and metrics: OTLP over HTTP with protobuf, such as `http://collector:4318`",
  ),
  trackingSecrets: secret(
    "CROSSDOCK_TRACKING_SECRETS",
    parseTrackingSecrets,
    "no source",
    "secrets of the tracking webhooks of each source, such as `easypost=…,aftership=…`; two of one source, during a rotation, with a blank between them",
  ),
  otlpHeaders: secret(
    "OTEL_EXPORTER_OTLP_HEADERS",
    parseHeaders,
    "none",
    "headers for the collector, such as `authorization=Bearer%20…`",
  ),
  otelServiceName: defaulted("OTEL_SERVICE_NAME", parseSeed, "crossdock", "name of the service in traces and metrics"),
  otelResourceAttributes: plain(
    "OTEL_RESOURCE_ATTRIBUTES",
    parseAttributes,
    "none",
    "further attributes of the process, such as `k8s.pod.name=api-1,service.namespace=logistics`",
  ),
  otelTracesExporter: defaulted("OTEL_TRACES_EXPORTER", oneOf(["otlp", "none"]), "otlp", "`none`: no traces are sent"),
  otelMetricsExporter: defaulted(
    "OTEL_METRICS_EXPORTER",
    oneOf(["otlp", "none"]),
    "otlp",
    "`none`: no metrics are sent, because `/metrics` is read",
  ),
  otelTracesSampler: defaulted(
    "OTEL_TRACES_SAMPLER",
    oneOf(samplers),
    "parentbased_always_on",
    "which traces are kept, by their tokens: all, none, or a share (`traceidratio`); `parentbased_` changes nothing",
  ),
  otelTracesSamplerArg: defaulted(
    "OTEL_TRACES_SAMPLER_ARG",
    parseRatio,
    "1",
    "the share of `traceidratio`, `0` to `1`",
  ),
  otelMetricEveryMs: defaulted(
    "OTEL_METRIC_EXPORT_INTERVAL",
    integerBetween(100, hourMs),
    "60000",
    "milliseconds between two exports of the metrics",
  ),
} as const;

type ValueOf<Variable> = Variable extends ConfigVariable<infer Value> ? Value : never;

/** The value of each variable; `undefined` where neither the environment nor a file sets it, and it has no default. */
export type ConfigValues = {
  readonly [Key in keyof typeof configVariables]: (typeof configVariables)[Key] extends { readonly text: string }
    ? ValueOf<(typeof configVariables)[Key]>
    : ValueOf<(typeof configVariables)[Key]> | undefined;
};

export const configVariableNames: readonly string[] = Object.values(configVariables).map(({ name }) => name);
