import { sealedFactors } from "#/console-api/index.ts";
import { sealedRules } from "#/delivery/notifications/index.ts";
import { sealedWebhooks } from "#/delivery/webhooks/index.ts";
import { sealedHostKeys } from "#/intake/sftp/index.ts";
import { sealedSigningKeys } from "#/modules/clients/oauth/index.ts";
import { sealedLabelSources } from "#/modules/labels/index.ts";
import type { SealedTable } from "#/store/db/schema/sealed-table.ts";

/** Every table that is stored encrypted under the master key. A column that is not listed here cannot be rotated. */
export const sealedTables: readonly SealedTable[] = [
  sealedSigningKeys,
  sealedHostKeys,
  sealedWebhooks,
  sealedFactors,
  sealedLabelSources,
  sealedRules,
];
