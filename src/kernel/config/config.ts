/** The configuration: read once at start, validated as a whole, then passed down as a value. */

import { resolve } from "node:path";
import {
  type ConfigFault,
  type ConfigSources,
  type EnvironmentTexts,
  gatherTexts,
  reasonOf,
} from "#/kernel/config/env-file.ts";
import { type FaultRates, type MailAddress, noFaults, ratioOf } from "#/kernel/config/parsers.ts";
import { type RoleName, roleNames } from "#/kernel/config/role-names.ts";
import {
  type ConfigValues,
  type ConfigVariable,
  configVariables,
  type Environment,
  type LogDestination,
  type LogFormat,
  type LogLevel,
  type RequestLogLevel,
} from "#/kernel/config/variables.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { AccessRule, ConsoleRole } from "#/kernel/security/access-rules.ts";
import { isLoopback } from "#/kernel/security/address-policy.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

export type { ConfigFault, Environment, LogFormat, LogLevel };

export interface Config {
  readonly environment: Environment;
  /** An absolute path. */
  readonly dataDir: string;
  readonly database: {
    /** `undefined`: the embedded database. */
    readonly url: string | undefined;
    /** For LISTEN, locks and migrations; equal to `url` unless a pooler is in between. */
    readonly directUrl: string | undefined;
    /** Connections per role. */
    readonly poolSize: number;
    /** Whether row-level security applies to the program's statements. */
    readonly isRowSecure: boolean;
    /** Whether work of a client goes to the worker of Citus that has its rows. */
    readonly hasClientNodes: boolean;
  };
  readonly http: {
    readonly host: string;
    /** 0: a free port. */
    readonly port: number;
    /** Public addresses without a slash at the end; `undefined`: the listener's. */
    readonly baseUrl: string | undefined;
    readonly authUrl: string | undefined;
    readonly feedUrl: string | undefined;
    /** PEM texts. */
    readonly tls: { readonly cert: string; readonly key: string } | undefined;
    /** Addresses and CIDRs. */
    readonly trustedProxies: readonly string[];
    /** How much memory request bodies may hold, in MiB; `undefined`: a share of the process's memory. */
    readonly bodyMemoryMiB: number | undefined;
    /** Where vulnerabilities are reported: a `mailto:` or `https:` URI. */
    readonly securityContact: string;
  };
  /** On the host of HTTP; 0: a free port. */
  readonly sftp: { readonly port: number | "off" };
  /** In the order of `roleNames`. */
  readonly roles: readonly RoleName[];
  /** Seconds between SIGTERM and the stop, so that load balancers notice. */
  readonly drainSeconds: number;
  readonly seedDemo: boolean;
  /** Whether the demo has historical data. */
  readonly demoHistory: boolean;
  /** The master key; `undefined`: the key generated into the data directory. */
  readonly secret: string | undefined;
  readonly secretPrevious: string | undefined;
  readonly tokenTtlSeconds: number;
  /** How users of the console sign in. */
  readonly signIn: {
    readonly isLocal: boolean;
    readonly provider: ProviderConfig | undefined;
    /** Roles whose local accounts need a second factor. */
    readonly secondFactorOf: readonly ConsoleRole[];
  };
  /** Limit per credential, over all nodes. */
  readonly rateLimit: { readonly perSecond: number } | "off";
  readonly requestLog: RequestLogLevel;
  /** 7 to 10 digits. */
  readonly gs1Prefix: string;
  readonly mail: {
    /** `undefined`: mail is stored and shown in the console. */
    readonly smtpUrl: string | undefined;
    readonly from: MailAddress;
  };
  readonly webhooks: {
    readonly allowPrivate: boolean;
    /** Private addresses and CIDRs that are allowed nevertheless. */
    readonly privateTargets: readonly string[];
    /** Refusals of targets do not state the reason. */
    readonly isTerse: boolean;
    /** Delays between attempts: one less than the number of attempts. Undefined: the standard ones. */
    readonly retryDelaysSeconds: readonly number[] | undefined;
  };
  readonly warehouseSim: {
    readonly enabled: boolean;
    /** 1: an order is delivered within forty seconds of its release. */
    readonly speed: number;
    readonly seed: string;
    readonly faults: FaultRates;
  };
  readonly log: { readonly level: LogLevel; readonly format: LogFormat; readonly destination: LogDestination };
  /** The name of a restore: its moment, ISO 8601 UTC, or `true`; undefined where there was none. */
  readonly restored: string | undefined;
  readonly telemetry: {
    /** URL of an OTLP receiver, without a slash at the end; `undefined`: neither traces nor metrics are sent. */
    readonly endpoint: string | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly serviceName: string;
    readonly resourceAttributes: Readonly<Record<string, string>>;
    readonly sendsTraces: boolean;
    readonly sendsMetrics: boolean;
    /** 0 to 1. */
    readonly sampledRatio: number;
    readonly metricEveryMs: number;
  };
}

/** The settings of an OpenID Connect provider. */
export interface ProviderConfig {
  readonly issuer: string;
  /** The display name. */
  readonly name: string;
  readonly clientId: string;
  /** `undefined`: a public client. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  readonly nameClaim: string;
  readonly groupsClaim: string;
  readonly access: readonly AccessRule[];
}

export interface ConfigOptions extends ConfigSources {
  /** Whether standard output goes to a terminal. It decides the log's format where no setting does. */
  readonly isTerminal?: boolean;
}

/** The rate limit of a client without its own (contract rest.md §3). */
const rateLimitDefault = { perSecond: 100 };

/**
 * Reads and validates the whole environment.
 *
 * @param env the process's environment; `.env` in `cwd` supplies missing variables.
 * @returns the configuration, or every fault of it at once, secrets never among them.
 * @see contract/operations.md §3.
 */
export function loadConfig(env: EnvironmentTexts, options: ConfigOptions): Result<Config, readonly ConfigFault[]> {
  const gathered = gatherTexts(env, Object.values(configVariables), options);
  const faults = [...gathered.faults];
  const values = parseValues(gathered.texts, faults);
  const tls = readTls(values, options, faults);
  // A variable that already has a fault is not also reported as missing.
  const complained = new Set(faults.map(({ name }) => name.replace(/_FILE$/, "")));
  faults.push(...contradictions(values).filter(({ name }) => !complained.has(name)));
  return faults.length > 0 ? refused(faults) : ok(configOf(values, tls, options));
}

/**
 * Only this machine reaches a listener on a loopback address; a public address means that a proxy forwards requests of
 * others.
 */
export function isReachedByOthers(http: Pick<Config["http"], "host" | "baseUrl" | "authUrl" | "feedUrl">): boolean {
  return !isLoopback(http.host) || [http.baseUrl, http.authUrl, http.feedUrl].some((url) => url !== undefined);
}

/** The faults as lines for a person at a terminal. */
export function describeConfigFaults(faults: readonly ConfigFault[]): string {
  return faults
    .map(({ name, value, text }) => `${name}${value === undefined ? "" : `=${value.slice(0, 200)}`}: ${text}`)
    .join("\n");
}

function parseValues(texts: ReadonlyMap<string, string>, faults: ConfigFault[]): ConfigValues {
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<ConfigVariable<unknown>>(configVariables)) {
    const text = texts.get(variable.name);
    if (text === undefined) continue;
    const parsed = variable.parse(text);
    if (parsed.ok) values[key] = parsed.value;
    else faults.push({ name: variable.name, ...(variable.isSecret ? {} : { value: text }), text: parsed.fault });
  }
  return values as ConfigValues;
}

function readTls(
  values: ConfigValues,
  sources: ConfigSources,
  faults: ConfigFault[],
): { cert: string; key: string } | undefined {
  const cert = readPem(configVariables.tlsCert, values.tlsCert, "CERTIFICATE", sources, faults);
  const key = readPem(configVariables.tlsKey, values.tlsKey, "PRIVATE KEY", sources, faults);
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/** Such variables commonly contain either the PEM text or a path; a PEM text cannot be mistaken for a path. */
function readPem(
  { name, isSecret }: { readonly name: string; readonly isSecret: boolean },
  textOrPath: string | undefined,
  label: string,
  sources: ConfigSources,
  faults: ConfigFault[],
): string | undefined {
  if (textOrPath === undefined) return undefined;
  const isPem = textOrPath.startsWith("-----BEGIN ");
  const shown = isSecret || isPem ? {} : { value: textOrPath };
  let pem = textOrPath;
  if (!isPem) {
    try {
      pem = sources.readFile(resolve(sources.cwd, textOrPath));
    } catch (error) {
      faults.push({ name, ...shown, text: `names a file that cannot be read (${reasonOf(error)})` });
      return undefined;
    }
  }
  if (new RegExp(`-----BEGIN [A-Z ]*${label}-----`).test(pem)) return pem;
  faults.push({ name, ...shown, text: `expected PEM with a ${label}` });
  return undefined;
}

/** Faults that only a combination of variables shows. */
function contradictions(values: ConfigValues): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const fault = (variable: ConfigVariable<unknown>, text: string): void => {
    faults.push({ name: variable.name, text });
  };
  const { tlsCert, tlsKey, directDatabaseUrl, databaseUrl, secret, gs1Prefix, warehouseSim, roles } = configVariables;
  if (values.tlsCert !== undefined && values.tlsKey === undefined) fault(tlsKey, `is needed beside ${tlsCert.name}`);
  if (values.tlsKey !== undefined && values.tlsCert === undefined) fault(tlsCert, `is needed beside ${tlsKey.name}`);
  if (values.directDatabaseUrl !== undefined && values.databaseUrl === undefined) {
    fault(databaseUrl, `is needed beside ${directDatabaseUrl.name}`);
  }
  faults.push(...providerFaults(values));
  if (values.environment !== "production") return faults;
  if (values.secret === undefined) fault(secret, "is required in production: at least 32 characters");
  if (values.gs1Prefix === undefined) fault(gs1Prefix, "is required in production: 7 to 10 digits");
  if (values.warehouseSim === true)
    fault(warehouseSim, "is refused in production: it would report shipments that did not happen");
  if (values.roles?.includes("warehouse-sim")) fault(roles, "warehouse-sim is refused in production");
  return faults;
}

const ofProvider = [
  "oidcClientId",
  "oidcAccess",
  "oidcClientSecret",
  "oidcName",
  "oidcScope",
  "oidcNameClaim",
  "oidcGroupsClaim",
] as const;

function providerFaults(values: ConfigValues): ConfigFault[] {
  const { oidcIssuer, baseUrl, localSignIn } = configVariables;
  const { environment = "sandbox" } = values;
  if (values.oidcIssuer === undefined) {
    const present = ofProvider.find((key) => values[key] !== undefined);
    if (present) return [{ name: oidcIssuer.name, text: `is needed beside ${configVariables[present].name}` }];
    const text = `false leaves no way to sign in: set ${oidcIssuer.name}, or ${localSignIn.name}=true`;
    return values.localSignIn === false ? [{ name: localSignIn.name, text }] : [];
  }
  const missing = (["oidcClientId", "oidcAccess"] as const).filter((key) => values[key] === undefined);
  const faults = missing.map((key) => ({
    name: configVariables[key].name,
    text: `is needed beside ${oidcIssuer.name}`,
  }));
  if (environment === "sandbox") return faults;
  if (values.oidcIssuer.startsWith("http:")) {
    faults.push({ name: oidcIssuer.name, text: "expected an https address: plain http is for the sandbox" });
  }
  if (values.baseUrl === undefined) {
    faults.push({
      name: baseUrl.name,
      text: `is needed beside ${oidcIssuer.name}: the provider leads users back there`,
    });
  }
  return faults;
}

function providerOf(values: ConfigValues): ProviderConfig | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcAccess: access } = values;
  if (issuer === undefined || clientId === undefined || access === undefined) return undefined;
  return {
    issuer,
    clientId,
    access,
    clientSecret: values.oidcClientSecret,
    name: values.oidcName ?? new URL(issuer).host,
    scope: values.oidcScope ?? "openid profile email",
    nameClaim: values.oidcNameClaim ?? "preferred_username",
    groupsClaim: values.oidcGroupsClaim ?? "groups",
  };
}

function configOf(values: ConfigValues, tls: Config["http"]["tls"], options: ConfigOptions): Config {
  const environment = values.environment ?? "sandbox";
  const isSandbox = environment === "sandbox";
  const allRoles = roleNames.filter((role) => role !== "warehouse-sim" || environment !== "production");
  const { host = "127.0.0.1", baseUrl, authUrl, feedUrl } = values;
  const mailFrom = values.mailFrom ?? { name: undefined, address: "crossdock@localhost" };
  return {
    environment,
    dataDir: resolve(options.cwd, values.dataDir ?? "data"),
    database: {
      url: values.databaseUrl,
      directUrl: values.directDatabaseUrl ?? values.databaseUrl,
      poolSize: values.dbPool ?? 10,
      isRowSecure: values.rowSecurity ?? false,
      hasClientNodes: values.citusWorkers ?? true,
    },
    http: {
      host,
      port: values.port ?? 8080,
      baseUrl,
      authUrl,
      feedUrl,
      tls,
      trustedProxies: values.trustedProxies ?? [],
      bodyMemoryMiB: values.bodyMemory,
      securityContact: values.securityContact ?? `mailto:${mailFrom.address}`,
    },
    sftp: { port: values.sftpPort ?? 2222 },
    roles: values.roles ?? allRoles,
    drainSeconds: values.drainSeconds ?? 0,
    seedDemo: values.seedDemo ?? isSandbox,
    demoHistory: values.demoHistory ?? true,
    secret: values.secret,
    secretPrevious: values.secretPrevious,
    tokenTtlSeconds: values.tokenTtl ?? 3600,
    signIn: {
      isLocal: values.localSignIn ?? true,
      provider: providerOf(values),
      secondFactorOf: values.secondFactor ?? [],
    },
    rateLimit: values.rateLimit ?? rateLimitDefault,
    requestLog: values.requestLog ?? "all",
    gs1Prefix: values.gs1Prefix ?? "0614141",
    mail: { smtpUrl: values.smtpUrl, from: mailFrom },
    webhooks: {
      allowPrivate:
        values.allowPrivateWebhooks ?? (isSandbox && !isReachedByOthers({ host, baseUrl, authUrl, feedUrl })),
      privateTargets: values.privateTargets ?? [],
      isTerse: !isSandbox,
      retryDelaysSeconds: values.webhookRetrySchedule,
    },
    warehouseSim: {
      enabled: values.warehouseSim ?? isSandbox,
      speed: values.warehouseSimSpeed ?? 1,
      seed: values.warehouseSimSeed ?? "crossdock",
      faults: values.warehouseSimFaults ?? noFaults,
    },
    log: {
      level: values.logLevel ?? "info",
      format: values.logFormat ?? (options.isTerminal ? "pretty" : "json"),
      destination: values.logDestination ?? (isSandbox ? "file" : "stdout"),
    },
    restored: values.restored || undefined,
    telemetry: {
      endpoint: values.otlpEndpoint,
      headers: values.otlpHeaders ?? {},
      serviceName: values.otelServiceName ?? "crossdock",
      resourceAttributes: values.otelResourceAttributes ?? {},
      sendsTraces: values.otelTracesExporter !== "none",
      sendsMetrics: values.otelMetricsExporter !== "none",
      sampledRatio: ratioOf(values.otelTracesSampler, values.otelTracesSamplerArg),
      metricEveryMs: values.otelMetricEveryMs ?? minuteMs,
    },
  };
}
