import { escapeHtml } from "#/http/requests/page.ts";

/** URLs without a trailing slash. */
export interface Addresses {
  readonly feed: string;
  readonly auth: string;
  readonly base: string;
}

/** The curl commands from the start to an order that can be queried. They work unchanged. */
export function firstSteps(addresses: Addresses): string {
  const steps = stepsOf(addresses).map(
    ({ title, about, command }) => `<li><strong>${title}</strong> ${about}
<pre class="wrapped" tabindex="0"><code>${escapeHtml(command)}</code></pre></li>`,
  );
  return `<h2 id="first-steps">First steps</h2>
<p>Four commands for a shell, one after the other. A sandbox prints the credentials of its demo client when it starts;
those of another client are printed when it is made.</p>
<ol class="steps">
${steps.join("\n")}
</ol>`;
}

function stepsOf({ feed, auth, base }: Addresses) {
  const post = (type: string) =>
    `curl -sS -H "X-API-KEY: $KEY" -H 'Content-Type: application/xml' \\
  --data-binary @- ${feed}/feeds/$CLIENT/${type} <<END`;
  return [
    {
      title: "Set your credentials.",
      about: "Feeds take the key; the REST services take a token, which the other two are exchanged for.",
      command: "CLIENT=DEMO\nKEY=cd_sandbox_…\nCLIENT_ID=…\nCLIENT_SECRET=cds_…",
    },
    {
      title: "Send a catalogue.",
      about: "Orders may only name SKUs of a catalogue.",
      command: `${post("CAT")}
<itemMaster>
  <clientId>$CLIENT</clientId>
  <date>2026-01-01T00:00:00Z</date>
  <item><sku>TEE-M</sku><name>T-shirt, size M</name></item>
</itemMaster>
END`,
    },
    {
      title: "Send an order.",
      about: "The answer says whether it was accepted, and if not, why.",
      command: `${post("NO")}
<orderRequest>
  <orderId>WEB-$(date +%s)</orderId>
  <clientId>$CLIENT</clientId>
  <orderDate>$(date -u +%Y-%m-%dT%H:%M:%SZ)</orderDate>
  <shipToAddress>
    <firstName>Ada</firstName><lastName>Lovelace</lastName>
    <address1>12 St James's Square</address1><city>London</city><zip>SW1Y 4JH</zip><country>GB</country>
  </shipToAddress>
  <lines><line><lineNumber>1</lineNumber><sku>TEE-M</sku><qty>2</qty></line></lines>
</orderRequest>
END`,
    },
    {
      title: "Follow the order.",
      about:
        "A token is valid for an hour unless the deployment says otherwise: keep it, and request another one before it expires.",
      command: `TOKEN=$(curl -sS ${auth}/v1/oauth/token -d grant_type=client_credentials \\
  -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS -H "Authorization: Bearer $TOKEN" \\
  '${base}/v1/orderService/order/list?limit=1&sort=-receivedAt'`,
    },
  ];
}
