import { sealedFactors } from "#/console-api/index.ts";
import type { SealedTable } from "#/db/schema/sealed-table.ts";
import { sealedWebhooks } from "#/delivery/webhooks/index.ts";
import { sealedSigningKeys } from "#/modules/clients/oauth/index.ts";
import { sealedHostKeys } from "#/sftp/index.ts";

/** Everything that is stored encrypted under the master key: a column that is not named here cannot be rotated. */
export const sealedTables: readonly SealedTable[] = [sealedSigningKeys, sealedHostKeys, sealedWebhooks, sealedFactors];
