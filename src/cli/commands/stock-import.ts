import { notifyOutbox } from "#/app/roles/notices.ts";
import { printable } from "#/cli/ack-report.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { readCallersFile, withPlatform } from "#/cli/context.ts";
import { ok, refused } from "#/kernel/result.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { showClient } from "#/modules/clients/service.ts";
import { importOpeningStock, type OpeningRefusal } from "#/modules/inventory/adjustments/import-opening.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

/** Thousands of lines with their movements. */
const statementTimeoutMs = minuteMs;

export function stockImport(call: Call): Promise<Outcome> {
  const bytes = readCallersFile(call.argument("FILE"));
  if (!bytes.ok) return Promise.resolve(bytes);
  const text = bytes.value.toString("utf8");
  return withPlatform(async ({ database, ids, change }) => {
    const clientId = call.given("client");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const isDryRun = call.flag("dry-run");
    let refusal: OpeningRefusal | undefined;
    const imported = await change(
      async (transaction, by) => {
        const tx = transaction.of(clientId, by);
        const file = { text, importId: call.option("id"), isDryRun };
        const result = await importOpeningStock(tx, client.value, file);
        if (!result.ok) {
          refusal = result.fault;
          return refused(result.fault.conflict?.detail ?? "");
        }
        createOutboxWriter(ids).append(tx, by.at, result.value.events);
        // Sent with the commit.
        await notifyOutbox(tx.plain, [tx.clientId]);
        return ok(result.value.answer);
      },
      { statementTimeoutMs },
    );
    if (!imported.ok) return refusal?.faults ? refuseFaults(refusal.faults) : imported;
    const { importId, isBooked, importedAt, facilities } = imported.value;
    const places = facilities
      .map(({ distributionCentre, lines }) => `${distributionCentre}: ${lines} lines`)
      .join(", ");
    if (importedAt !== null) {
      return done({ clientId, ...imported.value }, [
        `Import ${importId} was booked at ${importedAt}; nothing changed.`,
      ]);
    }
    const sentence = isBooked ? `Opening stock of ${clientId} is booked` : "The file is valid. Nothing was booked";
    return done({ clientId, ...imported.value }, [`${sentence} (${places}), import ${importId}.`]);
  });
}

function refuseFaults(faults: NonNullable<OpeningRefusal["faults"]>): Outcome {
  const lines = faults.map(({ line, column, message }) =>
    printable(`line ${line}${column === null ? "" : `, ${column}`}: ${message}`),
  );
  return refuse(`the file has ${faults.length} fault(s), and nothing was booked`, { json: { faults }, lines });
}
