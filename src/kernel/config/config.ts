/** The configuration: read once at start, validated as a whole, then passed down as a value. */

import { resolve } from "node:path";
import {
  type ConfigFault,
  type ConfigSources,
  type EnvironmentTexts,
  gatherTexts,
  reasonOf,
} from "#/kernel/config/env-file.ts";
import { noFaults, ratioOf } from "#/kernel/config/parsers.ts";
import { roleNames } from "#/kernel/config/role-names.ts";
import {
  type ConfigValues,
  type ConfigVariable,
  configVariables,
  type Environment,
  type LogFormat,
  type LogLevel,
} from "#/kernel/config/variables.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isLoopback } from "#/kernel/security/address-policy.ts";

export type { ConfigFault, Environment, LogFormat, LogLevel };

export interface ConfigOptions extends ConfigSources {
  /** Whether standard output goes to a terminal. It decides the log's format where no setting does. */
  readonly isTerminal?: boolean;
}

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

interface ListenerAddresses {
  readonly host: string;
  readonly baseUrl: string | undefined;
  readonly authUrl: string | undefined;
  readonly feedUrl: string | undefined;
}

/**
 * Only this machine reaches a listener on a loopback address; a public address means that a proxy forwards requests of
 * others.
 */
export function isReachedByOthers(http: ListenerAddresses): boolean {
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
    const text = texts.get(variable.name) ?? variable.text;
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
  const { environment } = values;
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

/** The settings of the OpenID Connect provider; without a secret it is a public client. */
function providerOf(values: ConfigValues) {
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

/** The configuration of the process. `undefined` is the absence of what a variable would set, where no comment says more. */
export type Config = Readonly<ReturnType<typeof configOf>>;
export type ProviderConfig = NonNullable<ReturnType<typeof providerOf>>;

/** @param tls PEM texts */
function configOf(values: ConfigValues, tls: { cert: string; key: string } | undefined, options: ConfigOptions) {
  const { environment } = values;
  const isSandbox = environment === "sandbox";
  const allRoles = roleNames.filter((role) => role !== "warehouse-sim" || environment !== "production");
  const { host, baseUrl, authUrl, feedUrl } = values;
  return {
    environment,
    /** An absolute path. */
    dataDir: resolve(options.cwd, values.dataDir),
    database: {
      /** `undefined`: the embedded database. */
      url: values.databaseUrl,
      /** For LISTEN, locks and migrations. */
      directUrl: values.directDatabaseUrl ?? values.databaseUrl,
      /** Connections per role. */
      poolSize: values.dbPool,
      isRowSecure: values.rowSecurity,
      /** Whether work of a client goes to the worker of Citus that has its rows. */
      hasClientNodes: values.citusWorkers,
    },
    http: {
      host,
      /** 0: a free port. */
      port: values.port,
      /** Public addresses without a slash at the end; `undefined`: the listener's. */
      baseUrl,
      authUrl,
      feedUrl,
      tls,
      trustedProxies: values.trustedProxies ?? [],
      /** `undefined`: a share of the memory of the process. */
      bodyMemoryMiB: values.bodyMemory,
      securityContact: values.securityContact ?? `mailto:${values.mailFrom.address}`,
    },
    /** On the host of HTTP; 0: a free port. */
    sftp: { port: values.sftpPort },
    roles: values.roles ?? allRoles,
    /** Between SIGTERM and the stop, so that load balancers notice. */
    drainSeconds: values.drainSeconds,
    seedDemo: values.seedDemo ?? isSandbox,
    demoHistory: values.demoHistory,
    /** `undefined`: the key generated into the data directory. */
    secret: values.secret,
    secretPrevious: values.secretPrevious,
    tokenTtlSeconds: values.tokenTtl,
    signIn: {
      isLocal: values.localSignIn,
      provider: providerOf(values),
      /** Roles whose local accounts need one. */
      secondFactorOf: values.secondFactor ?? [],
    },
    rateLimit: values.rateLimit,
    requestLog: values.requestLog,
    gs1Prefix: values.gs1Prefix ?? "0614141",
    /** Without a server, mail is stored and shown in the console. */
    mail: { smtpUrl: values.smtpUrl, from: values.mailFrom },
    webhooks: {
      allowPrivate:
        values.allowPrivateWebhooks ?? (isSandbox && !isReachedByOthers({ host, baseUrl, authUrl, feedUrl })),
      privateTargets: values.privateTargets ?? [],
      /** Refusals of targets do not state the reason. */
      isTerse: !isSandbox,
      /** One less than the number of attempts; `undefined`: the standard ones. */
      retryDelaysSeconds: values.webhookRetrySchedule,
    },
    warehouseSim: {
      enabled: values.warehouseSim ?? isSandbox,
      /** 1: an order is delivered within forty seconds of its release. */
      speed: values.warehouseSimSpeed,
      seed: values.warehouseSimSeed,
      faults: values.warehouseSimFaults ?? noFaults,
    },
    log: {
      level: values.logLevel,
      format: values.logFormat ?? (options.isTerminal ? "pretty" : "json"),
      destination: values.logDestination ?? (isSandbox ? "file" : "stdout"),
    },
    /** The name of a restore: its moment, ISO 8601 UTC, or `true`. */
    restored: values.restored || undefined,
    trackingSecrets: values.trackingSecrets ?? {},
    telemetry: {
      endpoint: values.otlpEndpoint,
      headers: values.otlpHeaders ?? {},
      serviceName: values.otelServiceName,
      resourceAttributes: values.otelResourceAttributes ?? {},
      sendsTraces: values.otelTracesExporter !== "none",
      sendsMetrics: values.otelMetricsExporter !== "none",
      sampledRatio: ratioOf(values.otelTracesSampler, values.otelTracesSamplerArg),
      metricEveryMs: values.otelMetricEveryMs,
    },
  };
}
