import { markdownTable } from "#/docs-site/markdown-table.ts";
import { eventCodes } from "#/kernel/event-codes.ts";
import { reasonCodes, reasonMeanings, workOrderReasons } from "#/modules/inventory/index.ts";
import { stateCodes } from "#/modules/orders/index.ts";
import { carrierCodeLeads } from "#/modules/parcels/index.ts";

/** Codes up to this one belong to the platform. */
const platformCodeMax = 100;

/** The complete docs/event-codes.md; a test compares the file with it. */
export function eventCodesPage(): string {
  const codes = Object.entries(eventCodes).map(([code, event]) => ({ code: Number(code), ...event }));
  const kindOf = ({ isException, isEnd }: (typeof codes)[number]) =>
    isException ? "exception" : isEnd ? "end" : "milestone";
  const platformCodes = codes.filter(({ code }) => code <= platformCodeMax);
  const carriers = codes.filter(({ code }) => code > platformCodeMax);
  const states = new Map(Object.entries(stateCodes).map(([state, code]) => [code, state]));
  const named = (value: string | undefined) => (value === undefined ? "" : `\`${value}\``);
  return `# Event codes

Milestones of orders and parcels have a numeric code: in \`milestones\` of \`GET /v1/orderService/order/status/{orderId}\`, in
\`events\` of a parcel, in webhooks and as \`statusCode\` of outbound OS documents. An exception does not move the milestone; after an
end nothing more is expected.

## Codes of the platform

Raised when the order or the parcel changes its [state](states.md).

${markdownTable(
  ["Code", "Event", "Kind", "State of the order"],
  platformCodes.map((eventCode) => [
    String(eventCode.code),
    eventCode.name,
    kindOf(eventCode),
    named(states.get(eventCode.code)),
  ]),
)}

## Codes of carriers

Reported by a carrier or a warehouse through \`POST /v1/warehouseService/carrierEvent/report\`. A carrier's own word is mapped to a code
by the carrier data; a word that is not mapped is kept with code 399.

${markdownTable(
  ["Code", "Event", "Kind", "State of the parcel"],
  carriers.map((carrier) => [
    String(carrier.code),
    carrier.name,
    kindOf(carrier),
    named(carrierCodeLeads.get(carrier.code)),
  ]),
)}

This page is generated from \`src/kernel/event-codes.ts\`, \`src/modules/orders/order.ts\` and \`src/modules/parcels/domain.ts\`.
`;
}

/** The complete docs/adjustment-reasons.md; a test compares the file with it. */
export function adjustmentReasonsPage(): string {
  return `# Adjustment reasons

Each adjustment and each change of condition names its reason: as \`reasonCode\` of
\`POST /v1/warehouseService/adjustment/report\` and \`…/hold/report\`, as \`reason\` of the events \`inventory:adjusted\`, and as
\`reasonCode\` of outbound ADJ documents. Any other code is refused.

${reasonsTable(reasonCodes)}

Only ADJ documents of work orders have these reasons; a report with one of them is refused. The client setting \`workOrderAdjustments\` turns these
documents off.

${reasonsTable(workOrderReasons)}

This page is generated from \`src/modules/inventory/adjustments/reports.ts\`.
`;
}

function reasonsTable(codes: readonly (keyof typeof reasonMeanings)[]): string {
  return markdownTable(
    ["Reason", "Meaning"],
    codes.map((code) => [`\`${code}\``, reasonMeanings[code]]),
  );
}
