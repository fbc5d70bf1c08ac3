import { ownerText } from "#/cli/carrier-report.ts";
import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { activeCarrierData, operatorsDefault } from "#/modules/carriers/data/carrier-data.ts";
import { matrixOf } from "#/modules/carriers/rate-cards/price-matrix.ts";
import { writeRateCardCsv } from "#/modules/carriers/rate-cards/rate-card-csv.ts";
import { showClient } from "#/modules/clients/service.ts";

export function carrierExport(call: Call): Promise<Outcome> {
  const [serviceCode, validFrom] = [call.option("rate-card"), call.option("valid-from")];
  if (serviceCode === undefined && validFrom !== undefined) {
    return Promise.resolve(misuse("--valid-from needs --rate-card"));
  }
  return withPlatform(async ({ database }) => {
    const clientId = call.option("client") ?? operatorsDefault;
    const view = database.of(clientId);
    if (clientId !== operatorsDefault) {
      const client = await showClient(view);
      if (!client.ok) return refuse(client.fault);
    }
    const active = await activeCarrierData(view);
    if (!active) return refuse("no carrier data yet");
    const notes = [`version ${active.version} of ${ownerText(active.owner)}`];
    if (serviceCode === undefined) {
      return done(active.data, JSON.stringify(active.data, null, 2).split("\n"), notes);
    }
    const matrix = matrixOf(active.data, { serviceCode, validFrom });
    if (!matrix.ok) return refuse(matrix.fault);
    return done(matrix.value, writeRateCardCsv(matrix.value).trimEnd().split(/\r?\n/), notes);
  });
}
