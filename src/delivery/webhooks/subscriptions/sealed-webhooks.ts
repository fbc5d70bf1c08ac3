import { headersContext, secretContext } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import type { Resealed, SealedTable } from "#/store/db/schema/sealed-table.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const sealedColumns = ["custom_headers_sealed", "signing_secret_sealed", "previous_secret_sealed"] as const;
type SealedColumn = (typeof sealedColumns)[number];

type SealedWebhook = { readonly webhook_id: string } & Readonly<Record<SealedColumn, string | null>>;

/** The webhooks after an id, in the order of their ids. */
function listSealedWebhooks(tx: ClientTx, after: string, limit: number): Promise<SealedWebhook[]> {
  return tx.query(sql`select webhook_id, custom_headers_sealed, signing_secret_sealed, previous_secret_sealed from webhook
      where client_id = ${tenant} and webhook_id > ${after}::uuid order by webhook_id limit ${limit}`);
}

/** The webhook itself stays unchanged, with its version and the time of its change. */
async function replaceSealedTexts(
  tx: ClientTransaction,
  column: SealedColumn,
  texts: readonly Resealed[],
): Promise<number> {
  const records = sql`json_to_recordset(${JSON.stringify(texts)}::json) as x(key uuid, before text, after text)`;
  const statements = {
    custom_headers_sealed: sql`update webhook w set custom_headers_sealed = x.after from ${records}
      where w.client_id = ${tenant} and w.webhook_id = x.key and w.custom_headers_sealed = x.before returning w.webhook_id`,
    signing_secret_sealed: sql`update webhook w set signing_secret_sealed = x.after from ${records}
      where w.client_id = ${tenant} and w.webhook_id = x.key and w.signing_secret_sealed = x.before returning w.webhook_id`,
    previous_secret_sealed: sql`update webhook w set previous_secret_sealed = x.after from ${records}
      where w.client_id = ${tenant} and w.webhook_id = x.key and w.previous_secret_sealed = x.before returning w.webhook_id`,
  };
  return (await tx.query(statements[column])).length;
}

const beforeAll = "00000000-0000-0000-0000-000000000000";

const contextOf = (column: SealedColumn, clientId: string, webhookId: string) =>
  column === "custom_headers_sealed" ? headersContext(clientId, webhookId) : secretContext(clientId, webhookId);

/**
 * The parts of webhooks and of pushed outbound feeds that are sealed under the master key: signing secrets and headers.
 */
export const sealedWebhooks: SealedTable = {
  table: "webhook",
  columns: sealedColumns,
  isOfClients: true,
  async list(tx, after, limit) {
    const rows = await listSealedWebhooks(tx, after === "" ? beforeAll : after, limit);
    return rows.map((row) => ({
      key: row.webhook_id,
      texts: sealedColumns.flatMap((column) => {
        const sealed = row[column];
        return sealed === null ? [] : [{ column, sealed, context: contextOf(column, tx.clientId, row.webhook_id) }];
      }),
    }));
  },
  replace: (tx, column, texts) => replaceSealedTexts(tx, column as SealedColumn, texts),
};
