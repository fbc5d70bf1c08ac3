import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { adapters } from "#/modules/labels/adapters.ts";
import type { SourceCalls, SourceDefinition, sourceKinds, VerifyCall } from "#/modules/labels/source-contract.ts";
import { pathsOf } from "#/modules/labels/template.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import type { SealedTable } from "#/store/db/schema/sealed-table.ts";
import { sql } from "#/store/db/sql.ts";

export type SourceKind = (typeof sourceKinds)[number];

/** A label source as it is stored. */
export interface LabelSource {
  readonly sourceCode: string;
  readonly name: string;
  readonly kind: SourceKind;
  readonly url: string;
  readonly isActive: boolean;
  readonly definition: SourceDefinition;
  readonly headersSealed: string | null;
  readonly updatedBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** Sources of a platform: one for each contract with a carrier or an aggregator. */
export const sourcesMax = 200;

const columns = sql`source_code as "sourceCode", name, kind, url, is_active as "isActive", definition,
  headers_sealed as "headersSealed", updated_by as "updatedBy", created_at as "createdAt", updated_at as "updatedAt",
  version`;

export function listSources(tx: Tx): Promise<LabelSource[]> {
  return tx.query(sql`select ${columns} from label_source order by source_code limit ${sourcesMax}`);
}

export async function findSource(tx: Tx, sourceCode: string): Promise<LabelSource | undefined> {
  const rows = await tx.query<LabelSource>(
    sql`select ${columns} from label_source where source_code = ${sourceCode} limit 1`,
  );
  return rows[0];
}

/** Stores a source with a version above that of the stored one. */
export function saveSource(tx: Transaction, source: LabelSource): void {
  tx.send(
    sql`insert into label_source (source_code, name, kind, url, is_active, definition, headers_sealed, updated_by,
        created_at, updated_at, version)
      values (${source.sourceCode}, ${source.name}, ${source.kind}, ${source.url}, ${source.isActive},
        ${JSON.stringify(source.definition)}::jsonb, ${source.headersSealed}, ${source.updatedBy}, ${source.createdAt},
        ${source.updatedAt}, ${source.version})
      on conflict (source_code) do update set name = excluded.name, url = excluded.url, is_active = excluded.is_active,
        definition = excluded.definition, headers_sealed = excluded.headers_sealed, updated_by = excluded.updated_by,
        updated_at = excluded.updated_at, version = excluded.version`,
  );
}

/** The source that verifies addresses: the first active one, by code, with the call for it. */
export function findVerifier(
  sources: readonly LabelSource[],
): (LabelSource & { readonly call: VerifyCall }) | undefined {
  return sources
    .flatMap((source) => {
      const call = source.isActive ? callsOf(source)?.verify : undefined;
      return call === undefined ? [] : { ...source, call };
    })
    .at(0);
}

/** The calls of a source: its own, or those of the kind. */
export function callsOf({ kind, definition }: Pick<LabelSource, "kind" | "definition">): SourceCalls | undefined {
  return kind === "HTTP" ? definition.calls : adapters[kind];
}

const headersContext = (sourceCode: string) => `label_source ${sourceCode}`;

export function sealHeaders(box: SecretBox, sourceCode: string, headers: Readonly<Record<string, string>>): string {
  return box.seal(JSON.stringify(headers), headersContext(sourceCode));
}

/** The headers with secrets; undefined where the master key does not open them. */
export function openHeaders(
  box: SecretBox,
  { sourceCode, headersSealed }: Pick<LabelSource, "sourceCode" | "headersSealed">,
): Readonly<Record<string, string>> | undefined {
  if (headersSealed === null) return {};
  const text = box.open(headersSealed, headersContext(sourceCode));
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, string>);
}

/** The first parts of the paths that templates may name (contract carriers.md, Label sources). */
const roots = new Set([
  ...["purchase", "service", "from", "to", "parcel", "goods", "customs", "item", "order", "shipDate"],
  ...["manifest", "parcels", "shippedAt"],
]);

/** Checks a definition beyond its schema. */
export function checkSource({
  kind,
  definition,
}: Pick<LabelSource, "kind" | "definition">): Result<undefined, readonly RequestFault[]> {
  const faults: RequestFault[] = [];
  const at = "#/definition/calls";
  if (kind === "HTTP" && definition.calls === undefined) faults.push({ pointer: at, message: "is required for HTTP" });
  if (kind !== "HTTP" && definition.calls !== undefined) {
    faults.push({ pointer: at, message: `is for HTTP: the calls of ${kind} are given` });
  }
  const { calls } = definition;
  if (kind === "HTTP" && calls && calls.buy === undefined && calls.verify === undefined) {
    faults.push({ pointer: `${at}/buy`, message: "is required, or verify for a verifier of addresses" });
  }
  for (const [name, call] of Object.entries(definition.calls ?? {})) {
    const unknown = pathsOf(call).find((path) => !roots.has(path.split(".")[0] as string));
    if (unknown === undefined) continue;
    faults.push({ pointer: `${at}/${name}`, message: `{${unknown}} begins with none of ${[...roots].join(", ")}` });
  }
  return faults.length > 0 ? refused(faults) : ok(undefined);
}

/** The secret headers of label sources. */
export const sealedLabelSources: SealedTable = {
  table: "label_source",
  columns: ["headers_sealed"],
  isOfClients: false,
  async list(tx, after, limit) {
    const rows = await tx.plain.query<{ source_code: string; headers_sealed: string }>(
      sql`select source_code, headers_sealed from label_source
        where source_code > ${after} and headers_sealed is not null order by source_code limit ${limit}`,
    );
    return rows.map(({ source_code: key, headers_sealed: sealed }) => ({
      key,
      texts: [{ column: "headers_sealed", sealed, context: headersContext(key) }],
    }));
  },
  async replace(tx, _column, texts) {
    const records = JSON.stringify(texts.map(({ key, before, after }) => ({ key, before, after })));
    const rows = await tx.plain.query(
      sql`update label_source s set headers_sealed = x.after
        from json_to_recordset(${records}::json) as x(key text, before text, after text)
        where s.source_code = x.key and s.headers_sealed = x.before returning s.source_code`,
    );
    return rows.length;
  },
};
