import { styleText } from "node:util";
import type { Config } from "#/kernel/config.ts";
import type { Onboarding } from "#/modules/clients/index.ts";
import { readDemoCredentials } from "#/roles/demo-credentials.ts";

/**
 * The one screen that a newcomer sees: where everything is, and three commands to paste.
 * @param isWorked whether this process has the simulated warehouse, which works the order that is pasted.
 */
export function greet(config: Config, url: string, isWorked: boolean): void {
  const baseUrl = config.http.baseUrl ?? url;
  const addresses = {
    feed: config.http.feedUrl ?? url,
    auth: config.http.authUrl ?? url,
    base: baseUrl,
  };
  const title = styleText("bold", `Crossdock is ready (${config.environment})`);
  const demo = readDemoCredentials(config.dataDir);
  const lines = [
    "",
    title,
    "",
    `  Feeds    ${addresses.feed}/feeds/{clientId}/{CAT|PO|RMA|NO}`,
    `  XSDs     ${addresses.feed}/xsd/NO.xsd`,
    `  Token    ${addresses.auth}/v1/oauth/token`,
    `  REST     ${addresses.base}/v1/{name}Service/…`,
    `  Docs     ${addresses.base}/docs`,
    `  Health   ${addresses.base}/readyz`,
    ...(demo
      ? demoLines(demo, addresses, isWorked && config.warehouseSim.speed >= 1)
      : ["", "  Make a client with: npx crossdock client create ACME"]),
    "",
    styleText("dim", "  Ctrl-C stops everything."),
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

interface Addresses {
  readonly feed: string;
  readonly auth: string;
  readonly base: string;
}

function demoLines(demo: Onboarding, addresses: Addresses, isWorked: boolean): string[] {
  return [
    "",
    styleText("bold", `  Demo client ${demo.clientId}`),
    `  X-API-KEY      ${demo.feed.apiKey}`,
    `  client_id      ${demo.oauth.client_id}`,
    `  client_secret  ${demo.oauth.client_secret}`,
    "",
    styleText("bold", "  Paste these: send a catalogue, send an order, show the newest order"),
    "",
    ...demoCommands(demo, addresses),
    ...(isWorked
      ? [
          "",
          "  The simulated warehouse works the order: repeat the third command and watch its status go from ALLOCATED over",
          "  PICKING, PACKED and DESPATCHED to DELIVERED, within a minute.",
        ]
      : []),
  ];
}

/** The catalogue of the first command. The seed sends it too: of what it names there is opening stock. */
export function demoCatalogue(clientId: string): string {
  return (
    `<itemMaster><clientId>${clientId}</clientId><date>2026-01-01T00:00:00Z</date>` +
    "<item><sku>TEE-M</sku><name>T-shirt, size M</name></item></itemMaster>"
  );
}

/** Three commands, each complete in a shell of its own and repeatable. */
export function demoCommands(demo: Onboarding, { feed, auth, base }: Addresses): string[] {
  const { clientId } = demo;
  const post = (type: string) =>
    `curl -sS -H 'X-API-KEY: ${demo.feed.apiKey}' -H 'Content-Type: application/xml' ${feed}/feeds/${clientId}/${type}`;
  const order =
    `<orderRequest><orderId>WEB-$(date +%s)</orderId><clientId>${clientId}</clientId>` +
    "<orderDate>$(date -u +%Y-%m-%dT%H:%M:%SZ)</orderDate><shipToAddress><firstName>Ada</firstName><lastName>Lovelace</lastName>" +
    "<address1>12 St James's Square</address1><city>London</city><zip>SW1Y 4JH</zip><country>GB</country></shipToAddress>" +
    "<lines><line><lineNumber>1</lineNumber><sku>TEE-M</sku><qty>2</qty></line></lines></orderRequest>";
  const credentials = `{"grant_type":"client_credentials","client_id":"${demo.oauth.client_id}","client_secret":"${demo.oauth.client_secret}"}`;
  const token = `$(curl -sS -H 'Content-Type: application/json' -d '${credentials}' ${auth}/v1/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  return [
    `${post("CAT")} -d '${demoCatalogue(clientId)}'`,
    `${post("NO")} -d "${order}"`,
    `curl -sS -H "Authorization: Bearer ${token}" '${base}/v1/orderService/order/list?limit=1&sort=-receivedAt'`,
  ];
}
