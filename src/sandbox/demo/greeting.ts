import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { styleText } from "node:util";
import type { SftpRole } from "#/app/roles/sftp.ts";
import type { Config, Environment } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import type { Onboarding } from "#/modules/clients/index.ts";

/** Credentials for a new user: those of the demo client, and the first user of the console. */
export interface DemoCredentials extends Onboarding {
  /** Missing if the user name was taken, or if the demo is older than the console. */
  readonly console?: { readonly username: string; readonly password: string };
}

/**
 * Reads the demo client's credentials. They are shown on request, so they are stored in the data directory, unlike real
 * ones.
 */
export function readDemoCredentials(dataDir: string): DemoCredentials | undefined {
  const file = demoCredentialsFile(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as DemoCredentials) : undefined;
}

export function keepDemoCredentials(dataDir: string, credentials: DemoCredentials): void {
  mkdirSync(dataDir, { recursive: true });
  const unfinished = `${demoCredentialsFile(dataDir)}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, demoCredentialsFile(dataDir));
}

/** The file is readable by its owner only. */
function demoCredentialsFile(dataDir: string): string {
  return path.join(dataDir, "demo-credentials.json");
}

/** Services of a running process. */
export interface Served {
  readonly url: string;
  readonly roles: ReadonlySet<RoleName>;
  readonly sftp: Pick<SftpRole, "host" | "port" | "fingerprint"> | undefined;
  /** Undefined if no simulated warehouse works the pasted order. */
  readonly warehouseSim: object | undefined;
}

/** The greeting without credentials. The server stores it in its data directory, where `crossdock hello` reads it. */
export interface Welcome {
  readonly environment: Environment;
  /** URL of the listener. */
  readonly url: string;
  readonly addresses: Addresses;
  readonly roles: readonly RoleName[];
  readonly sftp: Pick<SftpRole, "host" | "port" | "fingerprint"> | null;
  /** Whether a simulated warehouse works the pasted order, fast enough to watch. */
  readonly isWorked: boolean;
  /** Null if the log goes to standard output. */
  readonly logFile: string | null;
}

export function welcomeOf(config: Config, served: Served, logFile: string | undefined): Welcome {
  const { url, roles, sftp, warehouseSim } = served;
  return {
    environment: config.environment,
    url,
    addresses: addressesOf(config, url),
    roles: [...roles],
    sftp: sftp ? { host: sftp.host, port: sftp.port, fingerprint: sftp.fingerprint } : null,
    isWorked: warehouseSim !== undefined && config.warehouseSim.speed >= 1,
    logFile: logFile ?? null,
  };
}

/** Stores the greeting if there is a data directory, and prints it in a sandbox whose log goes to a file. */
export function greet(config: Config, served: Served, logFile: string | undefined): void {
  const { dataDir } = config;
  const welcome = welcomeOf(config, served, logFile);
  const demo = demoFor(dataDir);
  // A process with an external store, e.g. in a container without a disk, has no data directory.
  if (config.database.url === undefined || demo.credentials !== undefined) {
    storeWelcome(dataDir, welcome);
  }
  if (logFile === undefined || config.environment !== "sandbox") return;
  const end = "  Ctrl-C stops everything. `npx crossdock hello` in a second terminal shows this again.";
  process.stdout.write(`${["", ...greetingOf(welcome, demo), "", styleText("dim", end), ""].join("\n")}\n`);
}

/** On a full disk the greeting of the previous start stays. */
function storeWelcome(dataDir: string, welcome: Welcome): void {
  const file = welcomeFile(dataDir);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(welcome, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** The greeting of the last server on this data directory; undefined if none was started. */
export function readWelcome(dataDir: string): Welcome | undefined {
  const file = welcomeFile(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Welcome) : undefined;
}

const welcomeFile = (dataDir: string) => path.join(dataDir, "greeting.json");

/** The demo's credentials in the greeting. They are shown to the owner of the data directory, who can read their file. */
export interface DemoView {
  /** Undefined if there is no demo. */
  readonly credentials: DemoCredentials | undefined;
  /** Path of the file with the credentials. */
  readonly file: string;
  readonly isOwner: boolean;
}

export function demoFor(dataDir: string): DemoView {
  const file = demoCredentialsFile(dataDir);
  const owner = statSync(file, { throwIfNoEntry: false })?.uid;
  // Windows has no user ids: who can read the file may see it.
  const isOwner = process.getuid === undefined || owner === process.getuid();
  return { credentials: readDemoCredentials(dataDir), file, isOwner };
}

/** The start screen for a new user: where to go first, all addresses, and three commands to paste. */
export function greetingOf(welcome: Welcome, demo: DemoView): string[] {
  const { environment, url, addresses, sftp, isWorked, logFile } = welcome;
  const roles = new Set(welcome.roles);
  const hasConsole = roles.has("console");
  const hasDocs = roles.has("feeds") || roles.has("api") || hasConsole;
  const takesCommands = roles.has("feeds") && roles.has("auth") && roles.has("api");
  const shown = demo.isOwner ? demo.credentials : undefined;
  return [
    ...(hasConsole ? [styleText("bold", openLine(`${addresses.base}/console`, demo)), ""] : []),
    styleText("bold", `Crossdock is ready (${environment})`),
    "",
    ...(roles.has("feeds")
      ? [`  Feeds    ${addresses.feed}/feeds/{clientId}/{CAT|PO|RMA|NO}`, `  XSDs     ${addresses.feed}/xsd/NO.xsd`]
      : []),
    ...(roles.has("auth") ? [`  Token    ${addresses.auth}/v1/oauth/token`] : []),
    ...(roles.has("api") ? [`  REST     ${addresses.base}/v1/{name}Service/…`] : []),
    ...(sftp ? [`  SFTP     sftp://${bracketed(sftp.host)}:${sftp.port}, host key ${sftp.fingerprint}`] : []),
    ...(hasDocs ? [`  Docs     ${addresses.base}/docs`] : []),
    `  Health   ${url}/readyz`,
    ...(logFile === null ? [] : [`  Log      ${logFile}`]),
    ...(demo.credentials ? demoLines(demo.credentials, demo, sftp) : noDemo),
    ...(shown && takesCommands ? commandLines(shown, addresses, isWorked) : []),
  ];
}

const noDemo = ["", "  Create a client with: npx crossdock client create ACME"];

/** The first link for a new user, with the credentials for it. */
function openLine(console: string, { credentials, file, isOwner }: DemoView): string {
  const user = credentials?.console;
  // The greeting does not know the users of the store.
  if (!user) return `Open ${console} — where it has no user yet: npx crossdock user create NAME --role admin`;
  return `Open ${console} — ${user.username} / ${isOwner ? user.password : `the password in ${file}`}`;
}

interface Addresses {
  readonly feed: string;
  readonly auth: string;
  readonly base: string;
}

function addressesOf({ http }: Config, url: string): Addresses {
  return { feed: http.feedUrl ?? url, auth: http.authUrl ?? url, base: http.baseUrl ?? url };
}

function demoLines(demo: Onboarding, { file, isOwner }: DemoView, sftp: Welcome["sftp"]): string[] {
  const title = ["", styleText("bold", `  Demo client ${demo.clientId}`)];
  if (!isOwner)
    return [...title, `  Its credentials are in ${file}; npx crossdock hello shows them to the owner of the file.`];
  return [
    ...title,
    `  X-API-KEY      ${demo.feed.apiKey}`,
    `  client_id      ${demo.oauth.client_id}`,
    `  client_secret  ${demo.oauth.client_secret}`,
    ...(sftp ? [`  SFTP password  ${demo.sftp.password}   for: ${sftpCommand(demo.sftp.username, sftp)}`] : []),
  ];
}

/** A shell command that also works with an IPv6 host. */
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
          "  The simulated warehouse processes the order: repeat the third command and watch its status go from ALLOCATED over",
          "  PICKING, PACKED and DESPATCHED to DELIVERED, within a minute.",
        ]
      : []),
  ];
}

/**
 * The catalogue of the first command and of the guides. The seed sends it too, and gives its item opening stock. A CAT
 * replaces an item, so the guides have an item for themselves, and send it with the same values.
 */
export function guideCatalogue(clientId: string, date: string): string {
  return (
    `<itemMaster><clientId>${clientId}</clientId><date>${date}</date><item><sku>HELLO-TEE</sku>` +
    "<name>T-shirt, size M</name><weight>0.2</weight><weightUomCode>KG</weightUomCode></item></itemMaster>"
  );
}

/** Three commands. Each is complete in a separate shell, and may be repeated. */
function demoCommands(demo: Onboarding, { feed, auth, base }: Addresses): string[] {
  const { clientId } = demo;
  const now = "$(date -u +%Y-%m-%dT%H:%M:%SZ)";
  const post = (type: string) =>
    `curl -sS -H 'X-API-KEY: ${demo.feed.apiKey}' -H 'Content-Type: application/xml' ${feed}/feeds/${clientId}/${type}`;
  const order =
    `<orderRequest><orderId>WEB-$(date +%s)</orderId><clientId>${clientId}</clientId>` +
    `<orderDate>${now}</orderDate>` +
    "<shipToAddress><firstName>Ada</firstName><lastName>Lovelace</lastName>" +
    "<address1>12 St James's Square</address1><city>London</city><zip>SW1Y 4JH</zip><country>GB</country></shipToAddress>" +
    "<lines><line><lineNumber>1</lineNumber><sku>HELLO-TEE</sku><qty>2</qty></line></lines></orderRequest>";
  const credentials = `{"grant_type":"client_credentials","client_id":"${demo.oauth.client_id}","client_secret":"${demo.oauth.client_secret}"}`;
  const token = `$(curl -sS -H 'Content-Type: application/json' -d '${credentials}' ${auth}/v1/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  return [
    `${post("CAT")} -d "${guideCatalogue(clientId, now)}"`,
    `${post("NO")} -d "${order}"`,
    `curl -sS -H "Authorization: Bearer ${token}" '${base}/v1/orderService/order/list?limit=1&sort=-receivedAt'`,
  ];
}
