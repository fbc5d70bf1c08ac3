import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { showClient } from "#/modules/clients/service.ts";
import { type Condition, conditions } from "#/modules/inventory/lot.ts";
import { releaseCount } from "#/modules/warehouse/tasks/count-tasks.ts";

export const stockCount = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database, change }) => {
    const clientId = call.given("client");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const { facilities } = client.value;
    const facilityCode = call.option("facility") ?? (facilities.length === 1 ? facilities[0] : undefined);
    if (facilityCode === undefined) {
      return refuse(`${clientId} has the facilities ${facilities.join(", ")}; name one with --facility`);
    }
    const condition = (call.option("condition") ?? "GOOD").toUpperCase();
    if (!(conditions as readonly string[]).includes(condition)) {
      return refuse(`--condition '${condition}' is not one of ${conditions.join(", ")}`);
    }
    const expiryDate = call.option("expiry");
    if (expiryDate !== undefined && readDateTime(`${expiryDate}T00:00:00Z`) === undefined) {
      return refuse(`--expiry '${expiryDate}' is not a date such as 2027-03-31`);
    }
    const scope = {
      sku: call.option("sku"),
      stockPool: call.option("pool"),
      batchRef: call.option("batch"),
      expiryDate,
      condition: condition as Condition,
    };
    const request = { facilityCode, scope, isBlind: !call.flag("show-expected"), note: call.option("note") };
    const requested = await change((tx, by) => releaseCount(tx.of(clientId, by), client.value, request));
    if (!requested.ok) return requested;
    const { countId, lines } = requested.value;
    const lots = lines.length === 1 ? "1 lot" : `${lines.length} lots`;
    return done({ clientId, countId, distributionCentre: facilityCode, lines: lines.length }, [
      `${facilityCode} has the task to count ${lots} of ${clientId}: count ${countId}.`,
    ]);
  });
