import { printable } from "#/cli/ack-report.ts";
import { columns } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { consoleLink } from "#/cli/console-link.ts";
import { withPlatform } from "#/cli/context.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { showClient } from "#/modules/clients/service.ts";
import type { ExplainedLine, OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { explainOrder } from "#/modules/orders/explain/explain.ts";

export function orderExplain(call: Call): Promise<Outcome> {
  const orderId = call.argument("ID");
  const clientId = call.given("client");
  return withPlatform(async ({ config, database, clock }) => {
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const { facilities } = client.value;
    const at = new Date(clock.now()).toISOString();
    const explanation = await readSnapshot(database, (tx) =>
      explainOrder(tx.of(clientId), { orderId, facilities, at }),
    );
    if (explanation === undefined) return refuse(`client ${clientId} has no order ${orderId}`);
    return done(explanation, linesOf(explanation, consoleLink(config, clientId, orderId)));
  });
}

function linesOf(explanation: OrderExplanation, link: string | undefined): string[] {
  const { summary, next, lines, linesOmitted } = explanation;
  const rest = linesOmitted === 0 ? [] : ["", `${linesOmitted} more lines have not left.`];
  const text = [
    summary,
    ...(next === null ? [] : [next]),
    "",
    ...columns([...factsOf(explanation), ...(link === undefined ? [] : [["Console", link]])]),
    ...lines.flatMap(linesOfLine),
    ...rest,
  ];
  return text.map(printable);
}

function factsOf(explanation: OrderExplanation): string[][] {
  const { clientId, orderId, status, holds, routing, carrier, backorderedSince, backorderEndsAt } = explanation;
  const { despatchBy, nextCutOffAt } = explanation;
  const isUncarried = carrier !== null && carrier.carrierCode === null;
  const service = [carrier?.carrierCode, carrier?.serviceCode].filter(Boolean).join(" ");
  return [
    ["Order", `${orderId} of ${clientId}`],
    ["State", status],
    ...holds.map(({ type, reason, since, by }) => ["Hold", `${type} since ${since} by ${by}: ${reason}`]),
    ["Facility", routing.text],
    [
      "Carrier",
      carrier === null ? "not determined" : `${isUncarried ? "no service fits" : service}, ${carrier.decidedAt}`,
    ],
    ...(backorderedSince === null
      ? []
      : [["Back-ordered", `since ${backorderedSince}, until ${backorderEndsAt ?? "-"}`]]),
    ...(despatchBy === null ? [] : [["Leaves by", despatchBy]]),
    ...(nextCutOffAt === null ? [] : [["Next cut-off", nextCutOffAt]]),
  ];
}

function linesOfLine(line: ExplainedLine): string[] {
  const { lineNumber, sku, uom, status, qtyOrdered, qtyAllocated, qtyBackordered, qtyShort } = line;
  const { refusals, refusalsOmitted, expectedReceipts } = line;
  const rows = refusals.map(({ code, batchRef, text, release }) => [
    `  ${code}`,
    `${batchRef === null ? "" : `lot ${batchRef}: `}${text}${release === null ? "" : ` To change it: ${release}`}`,
  ]);
  const expected = expectedReceipts.map(({ poNumber, qty, announcedAt, expectedDate }) => [
    "  EXPECTED",
    `Purchase order ${poNumber} expects ${qty} ${uom}, announced ${announcedAt}${expectedDate === null ? "" : `, expected date ${expectedDate}`}.`,
  ]);
  const omitted = refusalsOmitted === 0 ? [] : [["  …", `${refusalsOmitted} more lots refused.`]];
  return [
    "",
    `Line ${lineNumber}, ${sku}, ${status}: ${qtyOrdered} ${uom} ordered, ${qtyAllocated} allocated, ${qtyBackordered} back-ordered, ${qtyShort} short`,
    ...columns([...rows, ...omitted, ...expected]),
  ];
}
