import { ownerText } from "#/cli/carrier-report.ts";
import { type Command, done, misuse, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { activeCarrierData, matrixOf, operatorsDefault, writeRateCardCsv } from "#/modules/carriers/index.ts";
import { showClient } from "#/modules/clients/index.ts";

export const carrierExport: Command = {
  name: "carrier export",
  summary: "Prints the carrier data in force, in the format of `carrier import`.",
  arguments: [],
  options: [
    { name: "client", value: "ID", meaning: "the data in force for this client; without it the operator's default" },
    { name: "rate-card", value: "SERVICE", meaning: "the price matrix of this service alone, as CSV" },
    {
      name: "valid-from",
      value: "DAY",
      meaning: "the rate card that begins at this time, where the service has several",
    },
  ],
  notes: ["The owner and the version are printed on standard error."],
  run(call) {
    const [serviceCode, validFrom] = [call.option("rate-card"), call.option("valid-from")];
    if (serviceCode === undefined && validFrom !== undefined) {
      return Promise.resolve(misuse("--valid-from needs --rate-card"));
    }
    return withPlatform(async ({ database }) => {
      const clientId = call.option("client") ?? operatorsDefault;
      if (clientId !== operatorsDefault) {
        const client = await showClient(database, clientId);
        if (!client.ok) return refuse(client.fault);
      }
      const active = await activeCarrierData(database, clientId);
      if (!active) return refuse("no carrier data yet");
      const notes = [`version ${active.version} of ${ownerText(active.owner)}`];
      if (serviceCode === undefined) {
        return done(active.data, JSON.stringify(active.data, null, 2).split("\n"), notes);
      }
      const matrix = matrixOf(active.data, { serviceCode, validFrom });
      if (!matrix.ok) return refuse(matrix.fault);
      return done(matrix.value, writeRateCardCsv(matrix.value).trimEnd().split(/\r?\n/), notes);
    });
  },
};
