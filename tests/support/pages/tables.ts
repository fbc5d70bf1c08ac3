import { problemCodes, problemKinds } from "#/http/problems/problem-codes.ts";
import { eventCodes } from "#/kernel/event-codes.ts";
import { type AttributeCarrier, type AttributeForm, extendedAttributes } from "#/kernel/values/extended-attributes.ts";
import { reasonCodes, reasonMeanings, transferReason, workOrderReasons } from "#/modules/inventory/index.ts";
import { stateCodes } from "#/modules/orders/index.ts";
import { carrierCodeLeads } from "#/modules/parcels/index.ts";

/** A table of a generated guide. @param rows cells in Markdown; vertical bars in them are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

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

A report with this reason is refused too:

${reasonsTable([transferReason])}

This page is generated from \`src/modules/inventory/adjustments/reports.ts\`.
`;
}

function reasonsTable(codes: readonly (keyof typeof reasonMeanings)[]): string {
  return markdownTable(
    ["Reason", "Meaning"],
    codes.map((code) => [`\`${code}\``, reasonMeanings[code]]),
  );
}

const carriers: readonly { readonly carrier: AttributeCarrier; readonly title: string }[] = [
  { carrier: "item", title: "Item (CAT)" },
  { carrier: "purchaseOrder", title: "Purchase order (PO)" },
  { carrier: "order", title: "Sales order (NO)" },
  { carrier: "orderLine", title: "Line of a sales order (NO)" },
];

const forms: Readonly<Record<AttributeForm, string>> = {
  flag: "flag: `true`, `1`, `false`, `0`",
  wholeNumber: "whole number, 0 or above",
  priority: "`1` to `9`",
  unit: "unit code of 1 to 10 letters and digits",
  packSize: "decimal above 0, at most 3 fraction digits",
  text: "text",
};

/** The complete docs/extended-attributes.md; a test compares the file with it. */
export function attributesPage(): string {
  const sections = carriers.map(({ carrier, title }) => {
    const rows = Object.entries(extendedAttributes)
      .filter(([, { on }]) => (on as readonly AttributeCarrier[]).includes(carrier))
      .map(([name, { form, standard, meaning }]) => [`\`${name}\``, forms[form], standard, meaning]);
    return `## ${title}\n\n${markdownTable(["Attribute", "Value", "Without it", "Meaning"], rows)}`;
  });
  return `# Extended attributes

A document may carry any number of extended attributes, each with a unique name in its block. The names below have a meaning for the
platform. It keeps all other attributes and passes them on as they are: in REST records, in events and to the warehouse.

\`\`\`xml not-run: a part of a document
<extendedAttributes>
  <attribute name="CaptureExpiry">true</attribute>
  <attribute name="MinShelfLifeDays">30</attribute>
</extendedAttributes>
\`\`\`

A wrong value of an item's attribute is refused \`[VALUE]\`, unless its row says that it is a warning. Rules of carrier data may ask for any attribute of an order, with a meaning
here or not: \`shipment.extendedAttributes.NAME\`.

${sections.join("\n\n")}

This page is generated from \`src/kernel/values/extended-attributes.ts\`, where the readers take the names from.
`;
}

/** The parts of an OpenAPI document that are read here. */
interface ServiceText {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationText>>>>;
}

interface OperationText {
  readonly summary?: string;
  readonly description?: string;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The complete docs/rest-operations.md; a test compares the file with it. @param services the published documents */
export function operationsPage(services: readonly ServiceText[]): string {
  const headings = new Set<string>();
  return `# Operations of the REST services

Every operation, so that the search finds it. The API reference at \`/docs/api\` shows parameters, bodies and answers, and calls the
operation; on the site, method and path lead there. The [contract](contract/rest.md) has the rules of all services, and
[Problems](problems.md) every refusal.

${services.map((service) => serviceSection(service, headings)).join("\n\n")}

This page is generated from the published OpenAPI documents.
`;
}

/** @param headings those of the services before; a title that one of them has gets the name of the service. */
function serviceSection({ info, paths }: ServiceText, headings: Set<string>): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const { summary = "", description = "" } = item[method] ?? {};
      if (item[method] === undefined) return [];
      // The search ranks headings before texts, and readers look for what an operation does.
      const heading = headings.has(summary) ? `${summary} (${info.title.split(" ")[0]?.toLowerCase()})` : summary;
      headings.add(summary);
      return `### ${heading}\n\n\`${method.toUpperCase()} ${path}\`\n\n${description}`;
    }),
  );
  return `## ${info.title}\n\n${operations.join("\n\n")}`;
}

/** The complete docs/problems.md; a test compares the file with it. */
export function problemsPage(): string {
  const sections = problemCodes.map((code) => {
    const { status, title, meaning, cure } = problemKinds[code];
    return `## \`${code}\`\n\n${title}: status ${status}. ${meaning}\n\nWhat to do: ${cure}`;
  });
  return `# Problems

A REST service answers a refused request with \`application/problem+json\` (RFC 9457). Its \`type\` is \`/problems/\` and the name of
one of these; \`errors\` names every fault of the request. Feeds answer in XML, with [other codes](acknowledgements.md).

${sections.join("\n\n")}

This page is generated from the code: \`http/problems/problem-codes.ts\`.
`;
}
