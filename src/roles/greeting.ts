import { styleText } from "node:util";
import type { Config } from "#/kernel/config.ts";
import type { RoleName } from "#/kernel/role-names.ts";
import type { Onboarding } from "#/modules/clients/index.ts";
import { type DemoCredentials, readDemoCredentials } from "#/roles/demo-credentials.ts";
import type { SftpRole } from "#/roles/sftp.ts";

/** What a process serves, as it was started. */
export interface Served {
  readonly url: string;
  readonly roles: ReadonlySet<RoleName>;
  readonly sftp: Pick<SftpRole, "host" | "port" | "fingerprint"> | undefined;
  /** Undefined where nobody works the order that is pasted. */
  readonly warehouseSim: object | undefined;
}

/** The one screen that a newcomer sees: where everything is, and three commands to paste. */
export function greet(config: Config, served: Served): void {
  process.stdout.write(`${greetingOf(config, readDemoCredentials(config.dataDir), served).join("\n")}\n`);
}

export function greetingOf(config: Config, demo: DemoCredentials | undefined, served: Served): string[] {
  const { url, roles, sftp, warehouseSim } = served;
  const addresses = addressesOf(config, url);
  const hasConsole = roles.has("console");
  const hasDocs = roles.has("feeds") || roles.has("api") || hasConsole;
  const takesCommands = roles.has("feeds") && roles.has("auth") && roles.has("api");
  const isWorked = warehouseSim !== undefined && config.warehouseSim.speed >= 1;
  return [
    "",
    styleText("bold", `Crossdock is ready (${config.environment})`),
    "",
    ...(hasConsole ? [`  Console  ${addresses.base}/console`] : []),
    ...(roles.has("feeds")
      ? [`  Feeds    ${addresses.feed}/feeds/{clientId}/{CAT|PO|RMA|NO}`, `  XSDs     ${addresses.feed}/xsd/NO.xsd`]
      : []),
    ...(roles.has("auth") ? [`  Token    ${addresses.auth}/v1/oauth/token`] : []),
    ...(roles.has("api") ? [`  REST     ${addresses.base}/v1/{name}Service/…`] : []),
    ...(sftp ? [`  SFTP     sftp://${bracketed(sftp.host)}:${sftp.port}, host key ${sftp.fingerprint}`] : []),
    ...(hasDocs ? [`  Docs     ${addresses.base}/docs`] : []),
    `  Health   ${url}/readyz`,
    ...(demo ? demoLines(demo, sftp) : ["", "  Make a client with: npx crossdock client create ACME"]),
    ...(hasConsole ? userLines(demo) : []),
    ...(demo && takesCommands ? commandLines(demo, addresses, isWorked) : []),
    "",
    styleText("dim", "  Ctrl-C stops everything."),
    "",
  ];
}

interface Addresses {
  readonly feed: string;
  readonly auth: string;
  readonly base: string;
}

function addressesOf({ http }: Config, url: string): Addresses {
  return { feed: http.feedUrl ?? url, auth: http.authUrl ?? url, base: http.baseUrl ?? url };
}

function demoLines(demo: Onboarding, sftp: Served["sftp"]): string[] {
  return [
    "",
    styleText("bold", `  Demo client ${demo.clientId}`),
    `  X-API-KEY      ${demo.feed.apiKey}`,
    `  client_id      ${demo.oauth.client_id}`,
    `  client_secret  ${demo.oauth.client_secret}`,
    ...(sftp ? [`  SFTP password  ${demo.sftp.password}   for: ${sftpCommand(demo.sftp.username, sftp)}`] : []),
  ];
}

function userLines(demo: DemoCredentials | undefined): string[] {
  const user = demo?.console;
  if (!user) return ["", "  Make a console user with: npx crossdock user create NAME --role admin"];
  return [
    "",
    styleText("bold", "  Console"),
    `  User name      ${user.username}`,
    `  Password       ${user.password}   as long as it is not changed`,
  ];
}

/** What a shell takes as it is, with the address of an IPv6 host as well. */
function sftpCommand(username: string, { host, port }: Pick<SftpRole, "host" | "port">): string {
  const place = `${username}@${bracketed(host)}`;
  return `sftp -P ${port} ${host.includes(":") ? `'${place}'` : place}`;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function commandLines(demo: Onboarding, addresses: Addresses, isWorked: boolean): string[] {
  return [
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
