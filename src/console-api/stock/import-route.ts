import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { closed, identifier, moment, newIdentifier, nullable } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { notFound, unprocessable } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/index.ts";
import { importOpeningStock, type OpeningFault, openingColumns } from "#/modules/inventory/index.ts";

const stockImport = Type.Object(
  {
    clientId: identifier("Client.", "DEMO"),
    csv: Type.String({
      minLength: 1,
      description: `The file: a line with columns (${openingColumns.join(", ")}), then a line for each lot, at most 5,000. sku and qty are required; serials are separated by |.`,
      examples: ["distributionCentre,sku,qty\nDC1,MUG-BLUE-330,480\n"],
    }),
    importId: Type.Optional(newIdentifier("Name of the import; left out: its content names it.", "OPENING-2026")),
    isDryRun: Type.Optional(
      Type.Boolean({ description: "Check the file and book nothing.", default: false, examples: [true] }),
    ),
  },
  { ...closed, title: "StockImport", description: "Opening stock of a client." },
);

const stockImportAnswer = Type.Object(
  {
    importId: Type.String({ description: "Name of the import; also the adjustmentId.", examples: ["OPENING-2026"] }),
    isBooked: Type.Boolean({ description: "Whether this request booked stock.", examples: [true] }),
    importedAt: nullable(moment("When the same import was booked before; null for the first.")),
    facilities: Type.Array(
      Type.Object(
        {
          distributionCentre: Type.String({ description: "Facility.", examples: ["DC1"] }),
          lines: Type.Integer({ description: "Lines of the file.", examples: [3] }),
        },
        { ...closed, title: "StockImportFacility", description: "The part of a facility." },
      ),
      { description: "By code." },
    ),
  },
  { ...closed, title: "StockImportAnswer", description: "The result of the import." },
);

const namedMax = 3;

/** Opening stock of a client, from a file (contract rest.md §3, operator). */
export function addStockImportRoute(service: HttpServer, context: OperatorContext): void {
  service.post(
    "/stock/import",
    {
      schema: {
        operationId: "importStock",
        summary: "Book the opening stock of a client from CSV",
        description:
          "Adjustments with the reason OPENING, all in one transaction. A file with a fault books nothing: the 422 lists every fault with its line, its value and what to do. A repeat of an import books nothing. A product that has had stock in the facility takes no more than the client's tolerance of counts: adjust it instead, which another user approves.",
        headers: createHeaders,
        body: stockImport,
        response: { 200: stockImportAnswer },
      } as const,
      config: { ...answers(409, 422), isHeavy: true },
    },
    async (request, reply) => {
      const { csv, importId, isDryRun = false } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const client = await showClient(tx);
        if (!client.ok) return refused(notFound(client.fault));
        const file = { text: csv, importId, isDryRun };
        const result = await importOpeningStock(tx, client.value, file, client.value.settings);
        if (result.ok) return answered(result.value.answer, { events: result.value.events });
        return refused(result.fault.conflict ?? refusalOf(result.fault.faults));
      });
    },
  );
}

function refusalOf(faults: readonly OpeningFault[]) {
  const errors = faults.map(({ line, column, message }) => ({
    pointer: `#/csv/${line}${column === null ? "" : `/${column}`}`,
    message: `line ${line}: ${message}`,
  }));
  const named = errors.slice(0, namedMax).map(({ message }) => message);
  const more = errors.length - named.length;
  const rest = more > 0 ? `; and ${more} more` : "";
  return unprocessable(
    `The file has ${faults.length} fault(s), and nothing was booked: ${named.join("; ")}${rest}.`,
    errors,
  );
}
