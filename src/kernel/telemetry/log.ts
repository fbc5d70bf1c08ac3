import { createRequire } from "node:module";
import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  stdSerializers,
  stdTimeFunctions,
} from "pino";
import type { LogFormat, LogLevel } from "#/kernel/config/variables.ts";

export type { Logger };

/** pino-pretty is loaded only where people read the log at a terminal. */
const require = createRequire(import.meta.url);

export interface LogOptions {
  readonly level: LogLevel;
  /** `pretty` for people at a terminal, `json` (one object a line) for machines. */
  readonly format: LogFormat;
  /** Receives whole lines; the default is standard output. */
  readonly destination?: DestinationStream;
  /** Colours in `pretty`; the default is whether standard output is a terminal. */
  readonly isColoured?: boolean;
}

/**
 * The process's logger. Secrets are redacted by the names of their fields, at any depth of the logged value and of the
 * fields of an error. A secret within a text is not detected, so texts must not be built from secrets.
 *
 * @see contract/operations.md §5: logs never show a secret, a custom header's value or a cookie.
 */
export function createLogger({ level, format, destination, isColoured }: LogOptions): Logger {
  const options: LoggerOptions = {
    level,
    // The supervisor knows process id and host name, which otherwise appear on every line.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: withoutSecrets,
    },
    serializers: { err: serialiseError, error: serialiseError },
  };
  const lines = destination ?? pino.destination({ fd: 1, sync: true });
  if (format === "json") return withRedactedChildren(pino(options, lines));
  const { prettyFactory } = require("pino-pretty") as typeof import("pino-pretty");
  const toPretty = prettyFactory({
    colorize: isColoured ?? process.stdout.isTTY === true,
    translateTime: "SYS:HH:MM:ss.l",
    singleLine: true,
  });
  // Formatted in this process and at once: a transport thread loses the last lines of a crash, which matter most.
  return withRedactedChildren(pino(options, { write: (line) => void lines.write(toPretty(line)) }));
}

/** The field `durationMs` of a line, to the hundredth. @param startedMs by `performance.now()` */
export function durationSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 100) / 100;
}

/** pino formats the fields of a child separately; its children inherit this method from their parent. */
function withRedactedChildren(logger: Logger): Logger {
  const child = logger.child;
  logger.child = function <Levels extends string = never>(
    this: Logger,
    fields: Bindings,
    options?: ChildLoggerOptions<Levels>,
  ): Logger<Levels> {
    return Reflect.apply(child<Levels>, this, [withoutSecrets(fields), options]);
  };
  return logger;
}

function serialiseError(error: unknown): unknown {
  return error instanceof Error ? withoutSecrets(withoutRows({ ...stdSerializers.err(error) })) : error;
}

/**
 * PostgreSQL's errors contain the row that they concern: `Failing row contains (…)` reveals a person's name and
 * address.
 */
const fieldsOfRows = ["detail", "where", "internalQuery", "hint"] as const;

/** A class 22 error concerns a value, which its message quotes at the end. */
function withoutRows(fields: Record<string, unknown>): Record<string, unknown> {
  const { code, severity } = fields;
  if (typeof code !== "string" || typeof severity !== "string") return fields;
  for (const name of fieldsOfRows) delete fields[name];
  if (!code.startsWith("22")) return fields;
  for (const name of ["message", "stack"]) {
    fields[name] = String(fields[name]).replace(/: "[^\n]*"/, ': "…"');
  }
  return fields;
}

/** Field names whose values must not appear in a log, in the form that `foldName` returns. */
const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "xapikey",
  "apikey",
  "cookie",
  "setcookie",
  "secret",
  "secretprevious",
  "clientsecret",
  "signingsecret",
  "sharedsecret",
  "password",
  "passphrase",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "privatekey",
  "customheaders",
  "databaseurl",
  "directurl",
  "connectionstring",
  "smtpurl",
  "cardnumber",
]);

export const redacted = "[redacted]";

/** Deeper objects are never logged deliberately; their contents are omitted, because they may contain secrets. */
const depthMax = 8;

/** A copy of a log object in which every field with a secret's name, at any depth, has the value `[redacted]`. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return redactedCopy(fields, depthMax);
}

function redactedCopy(fields: Record<string, unknown>, depthLeft: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    copy[name] = secretNames.has(foldName(name)) ? redacted : redactedValue(fields[name], depthLeft - 1);
  }
  return copy;
}

function redactedValue(value: unknown, depthLeft: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return depthLeft < 0 ? "[deep]" : value.map((item) => redactedValue(item, depthLeft - 1));
  // Requests, errors and dates have their own serialisers, which choose the shown fields.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return depthLeft < 0 ? "[deep]" : redactedCopy(value as Record<string, unknown>, depthLeft);
}

const foldedNames = new Map<string, string>();

/** `X-API-Key`, `x_api_key` and `xApiKey` are one name. Names are few, so each is normalised once. */
function foldName(name: string): string {
  let folded = foldedNames.get(name);
  if (folded === undefined) {
    folded = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    // Names that come from outside (maps logged by key) must not grow this map without a bound.
    if (foldedNames.size < 1000) foldedNames.set(name, folded);
  }
  return folded;
}
