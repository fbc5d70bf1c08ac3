// Rules for a migration that runs while the previous release still serves. Only statements known to be harmless pass.
// All others need a stated reason, or a declaration that no older release can run next to it (docs/roles.md).
import { type FileStatement, isForLater, splitStatements } from "#/store/db/schema/migrator.ts";
import { lastRelease, type ReleaseEntry, releases } from "../support/releases.ts";

export interface MigrationFile {
  readonly name: string;
  readonly text: string;
}

/** The last migration of the first release: no older release runs next to it. */
export const checkedAfter = (releases[0] as ReleaseEntry).migrations;

/** Migration 0047 corrects what the ones before it say. */
const correctedBefore = 47;

/** `-- harmless: why` above a statement. */
const excuse = /^harmless: \S/;

/** @param earlier the previous files, whose tables older releases use. Returns the faults as text. */
export function checkMigration({ name, text }: MigrationFile, earlier: readonly MigrationFile[]): string[] {
  const number = Number(name.slice(0, 4));
  const marks = [...text.matchAll(/^-- beside: (.*)$/gm)].map(([, mark = ""]) => mark);
  const [mark = ""] = marks;
  if (marks.length !== 1 || !/^\d{4}$/.test(mark)) {
    return [
      `${name} does not say which releases run beside it: '-- beside: ${pad(lastRelease.migrations)}' where ${lastRelease.version} does, '-- beside: ${pad(number)}' where none but its own does`,
    ];
  }
  const beside = Number(mark);
  if (beside > number) return [`${name} says that a later migration (${mark}) runs beside it`];
  if (beside === number) return [];
  const { version, migrations } = lastRelease;
  if (beside > migrations && number > correctedBefore) {
    return [`${name} runs beside ${mark}, so that a node of ${version} (${pad(migrations)}) cannot restart beside it`];
  }
  const theirs = new Set(earlier.filter((file) => Number(file.name.slice(0, 4)) <= beside).flatMap(tablesMade));
  const isOutside = text.startsWith("-- no-transaction");
  const isFinalizable = /^-- finalize$/m.test(text);
  return splitStatements(text).flatMap((statement) => {
    if (isForLater(statement)) return laterFaults(name, normal(statement), isFinalizable);
    if (statement.comments.some((comment) => excuse.test(comment))) return [];
    const why = harmOf(normal(statement), theirs, isOutside);
    return why === undefined ? [] : [`${name}: ${why}: ${normal(statement).slice(0, 90)}`];
  });
}

/** No older release runs any more; but the statement runs outside a transaction, and again after an interruption. */
function laterFaults(name: string, sql: string, isFinalizable: boolean): string[] {
  if (!isFinalizable) return [`${name} has a statement for later, but does not say '-- finalize'`];
  return / if exists /.test(sql) ? [] : [`${name}: it needs 'if exists', as it may run again: ${sql.slice(0, 90)}`];
}

const pad = (number: number) => String(number).padStart(4, "0");
const normal = ({ text }: FileStatement) => text.replace(/\s+/g, " ").toLowerCase();

function tablesMade({ text }: MigrationFile): string[] {
  return splitStatements(text).flatMap(
    (statement) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(normal(statement))?.[1] ?? [],
  );
}

/**
 * The reason why a statement may harm a release that uses the tables `theirs`; undefined if it is known to be harmless.
 */
function harmOf(sql: string, theirs: ReadonlySet<string>, isOutside: boolean): string | undefined {
  const again = (isThere: boolean) =>
    isOutside && !isThere ? "outside a transaction it needs 'if not exists', as it may run again" : undefined;
  if (/^comment on /.test(sql)) return undefined;
  if (/^create (?:unlogged )?table /.test(sql)) return again(sql.includes(" if not exists "));
  const index = /^create (unique )?index (concurrently )?(if not exists )?\w+ on (?:only )?(\w+)/.exec(sql);
  if (index) {
    const [, unique, concurrently, ifNotExists, table = ""] = index;
    if (!theirs.has(table)) return again(ifNotExists !== undefined);
    if (unique) return "older nodes may write what it refuses";
    if (!concurrently)
      return "writers wait while it is built; build it concurrently in a file that opens with '-- no-transaction'";
    return isOutside ? again(ifNotExists !== undefined) : "an index is built concurrently outside a transaction only";
  }
  const altered = /^alter table (?:only )?(\w+) (.*)$/.exec(sql);
  if (altered) {
    const [, table = "", actions = ""] = altered;
    return theirs.has(table) ? harmOfActions(actions, isOutside) : undefined;
  }
  const written = /^(?:insert into|update|delete from) (\w+)/.exec(sql)?.[1];
  if (written !== undefined && !theirs.has(written)) return undefined;
  if (written !== undefined) return "rows of older releases are written, whose locks they wait for";
  return "it is not known to be harmless";
}

/** In an `alter table`, only new columns are known to be harmless. */
function harmOfActions(actions: string, isOutside: boolean): string | undefined {
  for (const action of actions.split(/,(?![^(]*\))/).map((part) => part.trim())) {
    const added = /^add column (if not exists )?\w+ (.*)$/.exec(action);
    if (!added) return "older nodes may need what it changes";
    const [, ifNotExists, definition = ""] = added;
    const standard = /\bdefault (.*)$/.exec(definition)?.[1];
    if (/\bnot null\b/.test(definition) && standard === undefined) return "older nodes do not fill the new column";
    if (/\b(?:unique|primary key|references|check|exclude|generated)\b/.test(definition)) {
      return "existing rows are checked while writers wait";
    }
    if (
      standard !== undefined &&
      !/^(?:'[^']*'(?:::\w+(?:\[\])?)?|-?\d+(?:\.\d+)?|true|false|null|now\(\))(?: not null)?$/.test(standard)
    ) {
      return "a default that is worked out for each row rewrites the whole table";
    }
    if (isOutside && !ifNotExists) return "outside a transaction it needs 'if not exists', as it may run again";
  }
  return undefined;
}
