import type { SealedTable } from "#/db/schema/sealed-table.ts";
import {
  listSealedWebhooks,
  replaceSealedTexts,
  type SealedColumn,
  sealedColumns,
} from "#/delivery/webhooks/subscriptions/sealed-repository.ts";
import { headersContext, secretContext } from "#/delivery/webhooks/subscriptions/secrets.ts";

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
