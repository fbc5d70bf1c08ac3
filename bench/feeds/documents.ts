/** Documents of the size that the benches need; SKUs are `SKU-1` to `SKU-1000`. */
export const benchClient = "DEMO";
export const benchSkus = 1_000;

/** An NO of about 4 KB with five lines; `{id}` is the placeholder for the order's id. */
export function orderTemplate(): string {
  const address = (kind: string) => `
  <${kind} addressId="A-20071">
    <title>Ms</title>
    <companyName>Lovelace Analytical Engines Ltd</companyName>
    <department>Goods inwards</department>
    <firstName>Ada</firstName>
    <lastName>Lovelace</lastName>
    <address1>12 St James's Square</address1>
    <address2>Second floor</address2>
    <city>London</city>
    <zip>SW1Y 4JH</zip>
    <state>Greater London</state>
    <country>GB</country>
    <phone>+44 20 7946 0018</phone>
    <mobile>+44 7700 900077</mobile>
    <email>ada.lovelace@example.org</email>
  </${kind}>`;
  const line = (n: number) => `
    <line>
      <lineNumber>${n}</lineNumber>
      <sku>{sku${n}}</sku>
      <qty>${n}</qty>
      <lineTotal unit="GBP">${(19.5 * n).toFixed(2)}</lineTotal>
      <taxes unit="GBP" amount="${(3.9 * n).toFixed(2)}"><tax type="VAT20">${(3.9 * n).toFixed(2)}</tax></taxes>
      <unitNetPrice unit="GBP">15.60</unitNetPrice>
      <unitGrossPrice unit="GBP">19.50</unitGrossPrice>
      <qtyUom>EA</qtyUom>
    </line>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<orderRequest>
  <orderId>{id}</orderId>
  <actionType>NEW</actionType>
  <clientId>${benchClient}</clientId>
  <externalOrderReference>EXT-{id}</externalOrderReference>
  <catalogId>UK-2026</catalogId>
  <doNotShip>false</doNotShip>
  <origin>WEB</origin>
  <language>en</language>
  <orderDate>2026-11-20T09:30:00+00:00</orderDate>
  <shippingMethod>STANDARD</shippingMethod>
  <shippingCost unit="GBP">4.95</shippingCost>
  <subtotal unit="GBP">292.50</subtotal>
  <totalPrice unit="GBP">297.45</totalPrice>
  <taxes unit="GBP" amount="58.50"><tax type="VAT20">58.50</tax></taxes>${address("billToAddress")}${address("shipToAddress")}
  <payments><payment type="CARD"><tender>AUTH-88213</tender></payment></payments>
  <lines>${[1, 2, 3, 4, 5].map(line).join("")}
  </lines>
  <distributionCentre>DC1</distributionCentre>
  <extendedAttributes>
    <attribute name="WebOrderId">{id}</attribute>
    <attribute name="PackingSlipLanguage">en</attribute>
    <attribute name="Priority">5</attribute>
  </extendedAttributes>
</orderRequest>
`;
}

export function order(template: string, id: string, random: number): string {
  const from = Math.floor(random * (benchSkus - 5)) + 1;
  let n = 0;
  return template.replaceAll("{id}", id).replace(/\{sku\d\}/g, () => `SKU-${from + n++}`);
}

/** The same order with three lines and matching sums. @param skuOf the SKU of a line number */
export function threeLineOrder(clientId: string, id: string, skuOf: (line: number) => string): string {
  const sums = { "292.50": "117.00", "297.45": "121.95", "58.50": "23.40" };
  const three = orderTemplate().replace(/\s*<line>\s*<lineNumber>[45]<[\s\S]*?<\/line>/g, "");
  const summed = Object.entries(sums).reduce((text, [from, to]) => text.replaceAll(`>${from}<`, `>${to}<`), three);
  return summed
    .replaceAll('amount="58.50"', 'amount="23.40"')
    .replace(`<clientId>${benchClient}<`, `<clientId>${clientId}<`)
    .replaceAll("{id}", id)
    .replace(/\{sku(\d)\}/g, (_, line: string) => skuOf(Number(line)));
}

/** A CAT of `count` items; `prefix` makes the SKUs unique. */
export function catalogue(count: number, prefix: string, clientId = benchClient): string {
  const items: string[] = [];
  for (let i = 1; i <= count; i++) {
    items.push(`  <item>
    <sku>${prefix}${i}</sku>
    <eanCode>${prefix}-${i}</eanCode>
    <name>Stoneware mug ${i}, 330 ml, glazed</name>
    <weight>0.42</weight>
    <weightUomCode>KG</weightUomCode>
    <productType>TABLEWARE</productType>
    <countryOfOrigin>PT</countryOfOrigin>
    <extendedAttributes><attribute name="BrandName">Castell</attribute></extendedAttributes>
  </item>
`);
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<itemMaster>\n  <clientId>${clientId}</clientId>\n  <date>2026-11-20T08:00:00Z</date>\n${items.join("")}</itemMaster>\n`;
}
