import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { ok, refused } from "#/kernel/result.ts";
import { issueWarehouseCredential } from "#/modules/clients/credentials/credentials.ts";
import { chooseFacilities } from "#/modules/facilities/service.ts";

export const warehouseCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const { environment } = platform.config;
    const facilityCode = call.argument("FACILITY");
    const issued = await platform.change(async (tx, change) => {
      const chosen = await chooseFacilities(tx, [facilityCode]);
      if (!chosen.ok) return refused(chosen.fault);
      return ok(await issueWarehouseCredential(tx, change, { facilityCode, environment }));
    });
    if (!issued.ok) return issued;
    const lines = [`Credentials of the warehouse ${facilityCode} (${environment}), shown only now:`];
    return done(issued.value, [...lines, ...credentialLines({ oauth: issued.value.oauth })]);
  });
