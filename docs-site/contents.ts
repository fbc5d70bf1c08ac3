/** The pages of the documentation in the reading order: of the navigation, of the start page, and of "previous" and "next". */

export interface PageEntry {
  /** Name of the page `/docs/{name}` and of the file `docs/{name}.md`; `contract/feeds` is in a folder. */
  readonly name: string;
  /** The title of the page. */
  readonly title: string;
  readonly about: string;
}

/** A page that the program makes, not the site. */
export interface ProgramPage {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly PageEntry[];
  readonly programPages?: readonly ProgramPage[];
}

export const sections: readonly Section[] = [
  {
    title: "Start here",
    pages: [
      { name: "quick-start", title: "Quick start", about: "From nothing to a delivered order in five minutes." },
      {
        name: "first-steps",
        title: "First steps",
        about: "Four commands with curl: credentials, a product, an order, its state.",
      },
      {
        name: "sandbox",
        title: "The sandbox",
        about: "A simulated warehouse, test keys, and how to bring about every outcome.",
      },
      {
        name: "going-live",
        title: "Going live",
        about: "A checklist for both sides, with the command that shows each point.",
      },
      {
        name: "brand-developers",
        title: "Developers of brands",
        about: "A role of the console for one client: its keys, webhooks, feeds and requests; invited by mail.",
      },
      {
        name: "versions",
        title: "Versions",
        about: "What may change without notice, what stays, and how a removal is announced.",
      },
      { name: "changelog", title: "Changelog", about: "The changes of each release, those of the interfaces first." },
    ],
  },
  {
    title: "Feeds",
    pages: [
      {
        name: "sending-feeds",
        title: "Sending feeds",
        about: "Programs with curl, TypeScript, Java, Python and C#: send, read the answer, retry safely.",
      },
      {
        name: "feeds",
        title: "The rules of feeds",
        about: "Statuses, repeats, encodings, sizes, units, dates, updates.",
      },
      {
        name: "acknowledgements",
        title: "Acknowledgements",
        about: "Reading ACKs; every error code with an example and what to do.",
      },
      { name: "outbound", title: "Outbound feeds", about: "GR, OS, RS, ADJ, INV, IMS and ACK: what comes, and when." },
      {
        name: "sftp",
        title: "Exchanging files by SFTP",
        about: "Folders, temporary names, ACK files, repeats, refusals.",
      },
    ],
    programPages: [
      {
        path: "/samples",
        title: "Sample documents",
        about: "A complete document of each feed, and wrong ones with their ACKs.",
      },
    ],
  },
  {
    title: "Events",
    pages: [
      {
        name: "webhooks",
        title: "Receiving webhooks",
        about: "Verify, deduplicate, keep the order; retries, replay, secrets.",
      },
      { name: "events", title: "Events", about: "Every topic, with the data of its events." },
    ],
  },
  {
    title: "REST services",
    pages: [
      {
        name: "rest",
        title: "Calling the REST services",
        about: "With curl and Python: token, pages, changes that count once, refusals.",
      },
      {
        name: "stock",
        title: "Looking up stock",
        about: "Stock by SKU and by lot, a copy that stays up to date, movements.",
      },
      {
        name: "items",
        title: "Items",
        about: "The items of your catalogues: written in JSON, and read as they are stored.",
      },
      {
        name: "recall",
        title: "Recalling a lot",
        about: "A lot or a unit from its receipt to the customers that got it; a hold of what is left.",
      },
      {
        name: "carriers",
        title: "Labels of carriers",
        about:
          "From an empty facility to a bought label: label sources, the services that use them, and what can fail.",
      },
      {
        name: "facilities",
        title: "Reading facilities",
        about: "The warehouses of your goods, their cut-offs and holidays.",
      },
      {
        name: "work-orders",
        title: "Ordering work",
        about: "Kits and sets: order them, follow the work, the finished stock.",
      },
      {
        name: "carrier-choice",
        title: "Asking for a carrier",
        about: "The best carrier service for a shipment or an order, with its price.",
      },
      {
        name: "addresses",
        title: "Verified addresses",
        about: "A verifier of addresses, and what its answer means for an order.",
      },
      {
        name: "tracking",
        title: "Tracking webhooks",
        about: "Steps of parcels from EasyPost, Shippo, AfterShip, ShipStation or any other service.",
      },
      {
        name: "customs",
        title: "Customs data",
        about: "What each destination asks for, what your products lack, and the duty of small parcels to the EU.",
      },
      {
        name: "journeys",
        title: "Journeys",
        about:
          "Order, return and recall step by step, as Arazzo documents that programs run, for Postman and for Bruno.",
      },
      {
        name: "agents",
        title: "Agents",
        about: "Orders, stock and deliveries for programs with a language model, by MCP.",
      },
      {
        name: "client",
        title: "The client",
        about: "An npm package and a command line: feeds, services, events, webhooks.",
      },
      {
        name: "clients",
        title: "Clients in other languages",
        about: "Packages with the same methods, and a quick start in each.",
      },
      {
        name: "rest-operations",
        title: "Operations of the REST services",
        about: "Every operation of every service, with its purpose.",
      },
      { name: "problems", title: "Problems", about: "Every refusal of a service, and what to do about it." },
    ],
    programPages: [
      { path: "/docs/api", title: "API reference", about: "All services, with a way to call each operation." },
    ],
  },
  {
    title: "Values",
    pages: [
      {
        name: "extended-attributes",
        title: "Extended attributes",
        about: "Every attribute with a meaning, its values and its default.",
      },
      {
        name: "states",
        title: "States",
        about: "The states of orders, parcels, returns and the other objects, and their transitions.",
      },
      {
        name: "event-codes",
        title: "Event codes",
        about: "Milestones of orders and parcels, and the codes of carriers.",
      },
      {
        name: "adjustment-reasons",
        title: "Adjustment reasons",
        about: "Reasons of stock adjustments and changes of condition.",
      },
      {
        name: "glossary",
        title: "Glossary",
        about: "Terms of the trade and of the program, each in one sentence, with other names for them.",
      },
    ],
  },
  {
    title: "Warehouses and carriers",
    pages: [
      {
        name: "warehouse",
        title: "Connecting a warehouse",
        about: "The port of warehouses and carriers: tasks and reports.",
      },
      {
        name: "warehouse-client",
        title: "A warehouse client",
        about: "A program in one file, in Python and TypeScript, and a report of each kind.",
      },
      {
        name: "figures-for-a-bill",
        title: "Figures for a bill",
        about: "What was done for a client in a month: orders, parcels, papers, goods and storage.",
      },
      {
        name: "unidentified-goods",
        title: "Goods without a purchase order",
        about: "Reported by the warehouse, bound to a purchase order by the client, or ended without one.",
      },
    ],
  },
  {
    title: "The contract",
    pages: [
      {
        name: "contract/README",
        title: "The contract",
        about: "The subject of each page, how to read it, and which text takes precedence.",
      },
      {
        name: "contract/feeds",
        title: "Contract: inbound feeds",
        about: "HTTP answers, the ACK, the XSDs and the business rules of CAT, PO, RMA and NO.",
      },
      {
        name: "contract/lifecycle",
        title: "Contract: lifecycles",
        about: "States and transitions of every object, the stock ledger, event codes.",
      },
      {
        name: "contract/outbound",
        title: "Contract: outbound feeds",
        about: "GR, OS, RS, ADJ, INV, IMS and ACK: triggers, content, delivery.",
      },
      {
        name: "contract/sftp",
        title: "Contract: SFTP exchange",
        about: "Logins, folders, when a file is processed, limits.",
      },
      {
        name: "contract/rest",
        title: "Contract: REST services",
        about: "Tokens, conventions, operations and records.",
      },
      {
        name: "contract/webhooks",
        title: "Contract: webhooks",
        about: "Subscriptions, pushes, retries, alert mail, topics.",
      },
      {
        name: "contract/carriers",
        title: "Contract: carrier determination",
        about: "Carrier data, the choice of a service, its record.",
      },
      {
        name: "contract/warehouse",
        title: "Contract: the warehouse and carrier port",
        about: "Tasks and reports of warehouses and carriers.",
      },
      {
        name: "contract/operations",
        title: "Contract: operation",
        about: "Commands, environment, roles, security, retention, versions.",
      },
    ],
  },
  {
    title: "Operating it",
    pages: [
      {
        name: "operators-handbook",
        title: "The operator's handbook",
        about: "Set it up, check it each day, find blocked work at night.",
      },
      {
        name: "console",
        title: "The operators' console",
        about: "Screens, roles, and five questions answered quickly.",
      },
      {
        name: "notifications",
        title: "Notifications",
        about: "Rules that notify people of what is wrong, by mail, webhook or Slack.",
      },
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
      {
        name: "configuration",
        title: "Configuration",
        about: "Every environment variable, its default and its meaning.",
      },
      { name: "commands", title: "Commands", about: "Every command of the command line, with its options." },
      { name: "licences", title: "Licences of what is shipped", about: "Every third-party package, with its licence." },
    ],
  },
];

export const pages: readonly PageEntry[] = sections.flatMap((section) => section.pages);
