import { type Addresses, firstSteps } from "#/docs-site/first-steps.ts";
import { documentPath, type ServiceDocument } from "#/http/openapi/openapi.ts";
import { escapeHtml } from "#/http/requests/page.ts";

/** The sections of the start page. A guide without a subject is for operators. */
type Subject = "start" | "feeds" | "events" | "rest" | "values" | "floor" | "contract" | "operation";

export interface Guide {
  /** Name of the page `/docs/{name}` and of the file `docs/{name}.md`; `contract/feeds` is in a folder. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly subject?: Subject;
}

/** Within a subject, in the reading order for newcomers. */
export const guides: readonly Guide[] = [
  {
    name: "quick-start",
    title: "Quick start",
    subject: "start",
    about: "From nothing to a delivered order in five minutes.",
  },
  {
    name: "sandbox",
    title: "The sandbox",
    subject: "start",
    about: "A simulated warehouse, test keys, and how to bring about every outcome.",
  },
  {
    name: "going-live",
    title: "Going live",
    subject: "start",
    about: "A checklist for both sides, with the command that shows each point.",
  },
  {
    name: "sending-feeds",
    title: "Sending feeds",
    subject: "feeds",
    about: "Programs with curl, TypeScript, Java, Python and C#: send, read the answer, retry safely.",
  },
  {
    name: "feeds",
    title: "The rules of feeds",
    subject: "feeds",
    about: "Statuses, repeats, encodings, sizes, units, dates, updates.",
  },
  {
    name: "acknowledgements",
    title: "Acknowledgements",
    subject: "feeds",
    about: "Reading ACKs; every error code with an example and what to do.",
  },
  {
    name: "outbound",
    title: "Outbound feeds",
    subject: "feeds",
    about: "GR, OS, RS, ADJ, INV, IMS and ACK: what comes, and when.",
  },
  {
    name: "sftp",
    title: "Exchanging files by SFTP",
    subject: "feeds",
    about: "Folders, temporary names, ACK files, repeats, refusals.",
  },
  {
    name: "webhooks",
    title: "Receiving webhooks",
    subject: "events",
    about: "Verify, deduplicate, keep the order; retries, replay, secrets.",
  },
  {
    name: "client",
    title: "The typed client",
    subject: "rest",
    about: "All services from TypeScript, with an example.",
  },
  {
    name: "extended-attributes",
    title: "Extended attributes",
    subject: "values",
    about: "Every attribute with a meaning, its values and its default.",
  },
  {
    name: "states",
    title: "States",
    subject: "values",
    about: "The states of orders, parcels, returns and the other objects, and their transitions.",
  },
  {
    name: "event-codes",
    title: "Event codes",
    subject: "values",
    about: "Milestones of orders and parcels, and the codes of carriers.",
  },
  {
    name: "adjustment-reasons",
    title: "Adjustment reasons",
    subject: "values",
    about: "Reasons of stock adjustments and changes of condition.",
  },
  {
    name: "glossary",
    title: "Glossary",
    subject: "values",
    about: "Terms of the trade and of the program, each in one sentence, with other names for them.",
  },
  {
    name: "warehouse",
    title: "Connecting a warehouse",
    subject: "floor",
    about: "The port of warehouses and carriers: tasks and reports.",
  },
  {
    name: "warehouse-client",
    title: "A warehouse client",
    subject: "floor",
    about: "A program in one file, in Python and TypeScript, and a report of each kind.",
  },
  {
    name: "contract/README",
    title: "The contract",
    subject: "contract",
    about: "The subject of each page, how to read it, and which text takes precedence.",
  },
  {
    name: "contract/feeds",
    title: "Contract: inbound feeds",
    subject: "contract",
    about: "HTTP answers, the ACK, the XSDs and the business rules of CAT, PO, RMA and NO.",
  },
  {
    name: "contract/lifecycle",
    title: "Contract: lifecycles",
    subject: "contract",
    about: "States and transitions of every object, the stock ledger, event codes.",
  },
  {
    name: "contract/outbound",
    title: "Contract: outbound feeds",
    subject: "contract",
    about: "GR, OS, RS, ADJ, INV, IMS and ACK: triggers, content, delivery.",
  },
  {
    name: "contract/sftp",
    title: "Contract: SFTP exchange",
    subject: "contract",
    about: "Logins, folders, when a file is processed, limits.",
  },
  {
    name: "contract/rest",
    title: "Contract: REST services",
    subject: "contract",
    about: "Tokens, conventions, operations and records.",
  },
  {
    name: "contract/webhooks",
    title: "Contract: webhooks",
    subject: "contract",
    about: "Subscriptions, pushes, retries, alert mail, topics.",
  },
  {
    name: "contract/carriers",
    title: "Contract: carrier determination",
    subject: "contract",
    about: "Carrier data, the choice of a service, its record.",
  },
  {
    name: "contract/warehouse",
    title: "Contract: the warehouse and carrier port",
    subject: "contract",
    about: "Tasks and reports of warehouses and carriers.",
  },
  {
    name: "contract/operations",
    title: "Contract: operation",
    subject: "contract",
    about: "Commands, environment, roles, security, retention, versions.",
  },
  {
    name: "operators-handbook",
    title: "The operator's handbook",
    about: "Set it up, check it each day, find blocked work at night.",
  },
  { name: "console", title: "The operators' console", about: "Screens, roles, and five questions answered quickly." },
  {
    name: "single-sign-on",
    title: "Single sign-on",
    about: "Sign-in to the console through an identity provider; roles and limits by its groups.",
  },
  {
    name: "second-factor",
    title: "Second factor",
    about: "Passkeys, authenticator apps and recovery codes of local accounts; required by role.",
  },
  {
    name: "roles",
    title: "Roles, restarts and roll-outs",
    about: "The tasks and requirements of each role; load balancers; rolling upgrades.",
  },
  {
    name: "deployment",
    title: "Deployment",
    about: "Containers on one machine, Kubernetes, a bare machine; TLS, secrets, upgrades.",
  },
  {
    name: "backup-and-restore",
    title: "Backup and restore",
    about: "Content and method of a backup, a restore step by step, and its release.",
  },
  {
    name: "keys-and-data",
    title: "Keys and personal data",
    about: "Rotation of every key without downtime; erasure of personal data; retention.",
  },
  {
    name: "observability",
    title: "Observability",
    about: "Metrics, the dashboard, every alert with what to do, traces, logs; how to follow one order.",
  },
  {
    name: "sizing",
    title: "Sizing and scale",
    about: "From one node to 10 000 clients and 1 000 000 000 orders a year.",
  },
  {
    name: "citus",
    title: "More than one database machine: Citus",
    about: "When and how to use it, and the differences.",
  },
  {
    name: "security",
    title: "Security and threat model",
    about: "Assets, threats and defences, and the duties of the operator.",
  },
  { name: "configuration", title: "Configuration", about: "Every environment variable, its default and its meaning." },
  { name: "commands", title: "Commands", about: "Every command of the command line, with its options." },
  {
    name: "licences",
    title: "Licences of what is shipped",
    about: "Every third-party package, with its licence.",
  },
];

export interface StartPageContext {
  readonly documents: readonly ServiceDocument[];
  readonly xsds: readonly string[];
  readonly addresses: Addresses;
  /** Whether this process serves the path, according to its roles. */
  isServed(path: string): boolean;
}

/** The start page of the documentation. */
export function startPage({ documents, xsds, addresses, isServed }: StartPageContext): string {
  const card = ({ title, entries, label, files }: Card) => {
    const served = entries.filter(({ path }) => isServed(path));
    if (served.length === 0) return "";
    const links = files.filter(({ path }) => isServed(path));
    const short = links.map(({ path, title: text }) => `<a href="${path}">${escapeHtml(text)}</a>`).join(" ");
    const forMachines = short ? `\n<p><span class="quiet">${label}:</span> ${short}</p>` : "";
    return `<section class="card"><h2>${title}</h2>\n<ul>\n${served.map(line).join("\n")}\n</ul>${forMachines}</section>`;
  };
  const hasAll = isServed("/xsd/NO.xsd") && isServed(documentPath("order"));
  return [
    "<h1>Crossdock documentation</h1>",
    "This deployment serves all pages, and they describe the release that it runs.",
    '<div class="cards">',
    ...cards(documents, xsds).map(card),
    "</div>",
    hasAll ? firstSteps(addresses) : "",
  ].join("\n");
}

interface Card {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Heading of the files. */
  readonly label: string;
  /** For generators and validators. */
  readonly files: readonly Omit<Entry, "about">[];
}

interface Entry {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

function cards(documents: readonly ServiceDocument[], xsds: readonly string[]): readonly Card[] {
  const guidesOf = (wanted: Subject): Entry[] =>
    guides
      .filter(({ subject = "operation" }) => subject === wanted)
      .map(({ name, title, about }) => ({ path: `/docs/${name}`, title, about }));
  return [
    { title: "Start here", entries: guidesOf("start"), label: "", files: [] },
    {
      title: "Feeds",
      entries: [
        ...guidesOf("feeds"),
        {
          path: "/samples",
          title: "Sample documents",
          about: "A complete document of each feed, and wrong ones with their ACKs.",
        },
      ],
      label: "XSD",
      files: xsds.map((name) => ({ path: `/xsd/${name}.xsd`, title: name })),
    },
    {
      title: "Events",
      entries: [
        ...guidesOf("events"),
        { path: "/docs/events", title: "Event catalogue", about: "Every topic, with the data of its events." },
      ],
      label: "For generators",
      files: [{ path: "/asyncapi.json", title: "AsyncAPI" }],
    },
    {
      title: "REST services",
      entries: [
        { path: "/docs/api", title: "API reference", about: "All services, with a way to call each operation." },
        ...guidesOf("rest"),
        { path: "/problems", title: "Problems", about: "Every refusal of a service, and what to do about it." },
      ],
      label: "OpenAPI",
      files: documents.map(({ name, title }) => ({ path: documentPath(name), title })),
    },
    { title: "Values", entries: guidesOf("values"), label: "", files: [] },
    { title: "Warehouses and carriers", entries: guidesOf("floor"), label: "", files: [] },
    { title: "The contract", entries: guidesOf("contract"), label: "", files: [] },
    { title: "Operating it", entries: guidesOf("operation"), label: "", files: [] },
  ];
}

function line({ path, title, about }: Entry): string {
  return `<li><a href="${path}">${escapeHtml(title)}</a><br><span class="quiet">${escapeHtml(about)}</span></li>`;
}
