import type { Command } from "#/cli/command.ts";
import { carrierAccountCreate } from "#/cli/commands/carrier-account-create.ts";
import { carrierExport } from "#/cli/commands/carrier-export.ts";
import { carrierImport } from "#/cli/commands/carrier-import.ts";
import { carrierSimulate } from "#/cli/commands/carrier-simulate.ts";
import { clientCreate } from "#/cli/commands/client-create.ts";
import { clientList } from "#/cli/commands/client-list.ts";
import { clientResume } from "#/cli/commands/client-resume.ts";
import { clientSet } from "#/cli/commands/client-set.ts";
import { clientShow } from "#/cli/commands/client-show.ts";
import { clientSuspend } from "#/cli/commands/client-suspend.ts";
import { credentialsIssue } from "#/cli/commands/credentials-issue.ts";
import { credentialsList } from "#/cli/commands/credentials-list.ts";
import { credentialsRevoke } from "#/cli/commands/credentials-revoke.ts";
import { doctor } from "#/cli/commands/doctor.ts";
import { eventsCheck } from "#/cli/commands/events-check.ts";
import { facilityCreate } from "#/cli/commands/facility-create.ts";
import { facilityList } from "#/cli/commands/facility-list.ts";
import { facilitySet } from "#/cli/commands/facility-set.ts";
import { facilityShow } from "#/cli/commands/facility-show.ts";
import { feedSend } from "#/cli/commands/feed-send.ts";
import { feedShow } from "#/cli/commands/feed-show.ts";
import { feedValidate } from "#/cli/commands/feed-validate.ts";
import { hello } from "#/cli/commands/hello.ts";
import { migrate } from "#/cli/commands/migrate.ts";
import { outboundSet } from "#/cli/commands/outbound-set.ts";
import { outboundShow } from "#/cli/commands/outbound-show.ts";
import { personErase } from "#/cli/commands/person-erase.ts";
import { restoreRelease } from "#/cli/commands/restore-release.ts";
import { restoreStatus } from "#/cli/commands/restore-status.ts";
import { secretRotate } from "#/cli/commands/secret-rotate.ts";
import { seed } from "#/cli/commands/seed.ts";
import { serve } from "#/cli/commands/serve.ts";
import { stockCheck } from "#/cli/commands/stock-check.ts";
import { userCreate } from "#/cli/commands/user-create.ts";
import { userList } from "#/cli/commands/user-list.ts";
import { userPassword } from "#/cli/commands/user-password.ts";
import { userResetFactors } from "#/cli/commands/user-reset-factors.ts";
import { userSet } from "#/cli/commands/user-set.ts";
import { warehouseCreate } from "#/cli/commands/warehouse-create.ts";
import { webhookList } from "#/cli/commands/webhook-list.ts";
import { webhookReplay } from "#/cli/commands/webhook-replay.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  hello,
  migrate,
  seed,
  facilityCreate,
  facilityList,
  facilityShow,
  facilitySet,
  clientCreate,
  clientList,
  clientShow,
  clientSet,
  clientSuspend,
  clientResume,
  credentialsIssue,
  credentialsList,
  credentialsRevoke,
  outboundSet,
  outboundShow,
  warehouseCreate,
  carrierAccountCreate,
  carrierImport,
  carrierExport,
  carrierSimulate,
  userCreate,
  userList,
  userSet,
  userPassword,
  userResetFactors,
  feedSend,
  feedValidate,
  feedShow,
  webhookList,
  webhookReplay,
  stockCheck,
  eventsCheck,
  secretRotate,
  personErase,
  restoreStatus,
  restoreRelease,
  doctor,
];
