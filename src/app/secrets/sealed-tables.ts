import { sealedFactors } from "#/console-api/index.ts";
import type { SealedTable } from "#/db/schema/sealed-table.ts";
import { sealedWebhooks } from "#/delivery/webhooks/index.ts";
import { sealedSigningKeys } from "#/modules/clients/oauth/index.ts";
import { sealedHostKeys } from "#/sftp/index.ts";

/** Every table that is stored encrypted under the master key. A column that is not listed here cannot be rotated. */
export const sealedTables: readonly SealedTable[] = [sealedSigningKeys, sealedHostKeys, sealedWebhooks, sealedFactors];
