import { markdownTable } from "#/docs-site/markdown-table.ts";
import { type AttributeCarrier, type AttributeForm, extendedAttributes } from "#/kernel/values/extended-attributes.ts";

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
