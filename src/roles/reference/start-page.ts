import { documentPath, type ServiceDocument } from "#/http/openapi.ts";
import { escapeHtml } from "#/http/page.ts";
import { type Addresses, firstSteps } from "#/roles/reference/first-steps.ts";

export interface Guide {
  /** Of its page at `/docs/{name}` and of its file `docs/{name}.md`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

export const guides: readonly Guide[] = [
  { name: "feeds", title: "Sending feeds", about: "CAT, PO, RMA and NO: answers, codes, repeats, units, updates." },
  {
    name: "outbound",
    title: "Outbound feeds",
    about: "GR, OS, RS, ADJ, INV, IMS and ACK: what comes, and when.",
  },
  {
    name: "sftp",
    title: "Exchanging files by SFTP",
    about: "Folders, temporary names, ACK files, repeats, refusals.",
  },
  {
    name: "webhooks",
    title: "Receiving webhooks",
    about: "Verify, deduplicate, keep the order; retries, replay, secrets.",
  },
  {
    name: "warehouse",
    title: "Connecting a warehouse",
    about: "The port of warehouses and carriers: tasks and reports.",
  },
  { name: "client", title: "The typed client", about: "All services from TypeScript, with an example." },
];

export interface StartPageContext {
  readonly documents: readonly ServiceDocument[];
  readonly xsds: readonly string[];
  readonly addresses: Addresses;
  /** Whether this process serves the path: its roles decide. */
  isServed(path: string): boolean;
}

/** The way into the documentation. */
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
    '<p class="lead">Everything here is served by this deployment itself and describes what it runs.</p>',
    '<div class="cards">',
    ...cards(documents, xsds).map(card),
    "</div>",
    hasAll ? firstSteps(addresses) : "",
  ].join("\n");
}

interface Card {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** What the files are. */
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
  const guide = (wanted: string): Entry[] =>
    guides.filter(({ name }) => name === wanted).map(({ name, ...rest }) => ({ path: `/docs/${name}`, ...rest }));
  return [
    {
      title: "REST services",
      entries: [
        { path: "/docs/api", title: "API reference", about: "All services, with a way to try each operation." },
        ...guide("client"),
        { path: "/problems", title: "Problems", about: "Every refusal of a service, and what to do about it." },
      ],
      label: "OpenAPI",
      files: documents.map(({ name, title }) => ({ path: documentPath(name), title })),
    },
    {
      title: "Feeds",
      entries: [
        ...guide("feeds"),
        { path: "/docs/feed-errors", title: "Codes of feeds", about: "Every code of an answer, and its cure." },
        ...guide("outbound"),
        ...guide("sftp"),
      ],
      label: "XSD",
      files: xsds.map((name) => ({ path: `/xsd/${name}.xsd`, title: name })),
    },
    {
      title: "Events",
      entries: [
        ...guide("webhooks"),
        { path: "/docs/events", title: "Event catalogue", about: "Every topic, with the data of its events." },
      ],
      label: "For generators",
      files: [{ path: "/asyncapi.json", title: "AsyncAPI" }],
    },
    { title: "Warehouses and carriers", entries: guide("warehouse"), label: "", files: [] },
  ];
}

function line({ path, title, about }: Entry): string {
  return `<li><a href="${path}">${escapeHtml(title)}</a><br><span class="quiet">${escapeHtml(about)}</span></li>`;
}
