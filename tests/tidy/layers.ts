// The architecture as a table; tidy.test.ts checks the code against it. A rule is changed here, with its reason.

const business = ["kernel", "store", "http", "intake", "modules", "delivery", "console-api"] as const;

/**
 * The rooms of src, and the rooms that each may import: kernel ← store ← http ← intake ← modules ← delivery ← console-api ←
 * app ← sandbox ← main, cli. A room gets only what it needs.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  store: ["kernel"],
  // HTTP has its own terms (problems, paging, health), and none of the business or of XML.
  http: ["kernel", "store"],
  // The feed's routes use from HTTP what every route has (problem details, the caller); HTTP does not know feeds.
  intake: ["kernel", "store", "http"],
  modules: ["kernel", "store", "http", "intake"],
  // The folders of outbound feeds use the SFTP server's interfaces for folders and files.
  delivery: ["kernel", "store", "http", "intake", "modules"],
  // The API of the console: lists and figures over clients. It changes data only through the functions of the modules.
  "console-api": ["kernel", "store", "http", "intake", "modules", "delivery"],
  app: business,
  // The demo sends its documents through the same feeds as a server.
  sandbox: [...business, "app"],
  cli: [...business, "app", "sandbox", "main.ts"],
  "server.ts": [...business, "app", "sandbox"],
  // The little that a process needs before PostgreSQL starts; the server is loaded meanwhile.
  "main.ts": ["kernel", "app", "sandbox", "server.ts"],
};

/**
 * A module may import those before it, through their index.ts. The other direction is an event or a function passed in.
 */
export const modules = [
  "clients",
  "facilities",
  "catalogue",
  "inventory",
  "labels",
  "carriers",
  "transfers",
  "purchasing",
  "parcels",
  "documents",
  "orders",
  "returns",
  "workorders",
  "warehouse",
  "lots",
  "proposals",
  "activity",
] as const;

export interface Exception {
  readonly path: string;
  readonly why: string;
}

/** Packages that only these files may import. All others use the interfaces of these files. */
export const packageHomes: Readonly<Record<string, readonly Exception[]>> = {
  pg: [{ path: "src/store/db/", why: "connections, time-outs and what their errors mean" }],
  nodemailer: [{ path: "src/delivery/mail/", why: "addresses are checked there before it sees them" }],
  undici: [{ path: "src/delivery/webhooks/", why: "where it may connect is checked there" }],
  ssh2: [
    { path: "src/intake/sftp/server/", why: "what it does not bound is bounded there, and its traps are known there" },
  ],
  "@simplewebauthn/server": [
    {
      path: "src/console-api/access/factors/",
      why: "it throws for what is wrong with an answer, and is loaded when the first passkey is used",
    },
  ],
  "openid-client": [
    {
      path: "src/console-api/access/sign-in/identity-provider.ts",
      why: "what it does not check by default is switched on there",
    },
  ],
  "@prometheus-io/client": [
    { path: "src/kernel/telemetry/metrics.ts", why: "every metric is in one table, whose labels are bounded" },
    { path: "src/app/telemetry/", why: "the gauges of the database, and the export" },
  ],
  "@opentelemetry": [{ path: "src/app/telemetry/", why: "loaded only where a collector is set" }],
  "#client": [
    {
      path: "src/sandbox/simulator/port-client.ts",
      why: "the simulated warehouse speaks as the client of a warehouse",
    },
  ],
  "libxml2-wasm": [{ path: "src/intake/xml/", why: "its memory is read by offsets that are checked there" }],
};

export const namesThatSayNothing = /(^|[-/])(utils?|helpers?|common|managers?|misc|shared)([-/.]|$)/;

export interface Denied {
  readonly what: string;
  readonly pattern: RegExp;
  /** Prefixes of files that may contain it. */
  readonly except?: readonly string[];
}

/** Patterns that no file of the repository may contain. They are written so that they do not match themselves. */
export const denied: readonly Denied[] = [
  { what: "a path of a developer's machine", pattern: /(?<![\w.<:/-])\/(?:work|root|home|Users)\/(?=[\w.-])/ },
  { what: "a temporary folder of a developer's machine", pattern: /\/tmp\/(?=\w)/ },
  { what: "a folder outside the repository", pattern: /\.\.\/(?:share[d]|spe[c]|brie[f])\b/ },
  {
    what: "a package registry's host",
    pattern: /\bregistry\.[a-z]+[a-z.-]*\.(?:org|com|net|io|dev|local)\b|"resolve[d]": "http/,
  },
  { what: "unfinished work", pattern: /\b(?:TOD[O]|FIXM[E]|HAC[K])\b/ },
  { what: "a test that is left out in silence", pattern: /\b(?:test|it|describe)\.(?:ski[p]|onl[y]|tod[o])\b/ },
];
