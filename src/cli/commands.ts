import type { Command } from "#/cli/command.ts";
import { carrierAccountCreate } from "#/cli/commands/carrier/carrier-account-create.ts";
import { carrierExport } from "#/cli/commands/carrier/carrier-export.ts";
import { carrierImport } from "#/cli/commands/carrier/carrier-import.ts";
import { carrierSimulate } from "#/cli/commands/carrier/carrier-simulate.ts";
import { clientCreate } from "#/cli/commands/client/client-create.ts";
import { clientList } from "#/cli/commands/client/client-list.ts";
import { clientResume } from "#/cli/commands/client/client-resume.ts";
import { clientSet } from "#/cli/commands/client/client-set.ts";
import { clientShow } from "#/cli/commands/client/client-show.ts";
import { clientSuspend } from "#/cli/commands/client/client-suspend.ts";
import { credentialsIssue } from "#/cli/commands/credentials/credentials-issue.ts";
import { credentialsList } from "#/cli/commands/credentials/credentials-list.ts";
import { credentialsRevoke } from "#/cli/commands/credentials/credentials-revoke.ts";
import { eventsCheck } from "#/cli/commands/events-check.ts";
import { facilityCreate } from "#/cli/commands/facility/facility-create.ts";
import { facilityList } from "#/cli/commands/facility/facility-list.ts";
import { facilitySet } from "#/cli/commands/facility/facility-set.ts";
import { facilityShow } from "#/cli/commands/facility/facility-show.ts";
import { feedSend } from "#/cli/commands/feed/feed-send.ts";
import { feedShow } from "#/cli/commands/feed/feed-show.ts";
import { feedValidate } from "#/cli/commands/feed/feed-validate.ts";
import { hello } from "#/cli/commands/hello.ts";
import { migrate } from "#/cli/commands/migrate.ts";
import { outboundSet } from "#/cli/commands/outbound/outbound-set.ts";
import { outboundShow } from "#/cli/commands/outbound/outbound-show.ts";
import { personErase } from "#/cli/commands/person-erase.ts";
import { restoreRelease } from "#/cli/commands/restore/restore-release.ts";
import { restoreStatus } from "#/cli/commands/restore/restore-status.ts";
import { secretRotate } from "#/cli/commands/secret-rotate.ts";
import { seed } from "#/cli/commands/seed.ts";
import { serve } from "#/cli/commands/serve.ts";
import { stockCheck } from "#/cli/commands/stock-check.ts";
import { userCreate } from "#/cli/commands/user/user-create.ts";
import { userList } from "#/cli/commands/user/user-list.ts";
import { userPassword } from "#/cli/commands/user/user-password.ts";
import { userResetFactors } from "#/cli/commands/user/user-reset-factors.ts";
import { userSet } from "#/cli/commands/user/user-set.ts";
import { warehouseCreate } from "#/cli/commands/warehouse-create.ts";
import { webhookList } from "#/cli/commands/webhook/webhook-list.ts";
import { webhookReplay } from "#/cli/commands/webhook/webhook-replay.ts";
import { doctor } from "#/cli/doctor/doctor.ts";

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
