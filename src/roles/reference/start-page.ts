import { documentPath, type ServiceDocument } from "#/http/openapi.ts";
import { escapeHtml } from "#/roles/reference/page.ts";

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
    title: "Fetching outbound feeds",
    about: "GR, OS, RS, ADJ, INV, IMS and ACK: what comes, and when.",
  },
  {
    name: "warehouse",
    title: "Connecting a warehouse",
    about: "The port of warehouses and carriers: tasks and reports.",
  },
];

export interface StartPageContext {
  readonly documents: readonly ServiceDocument[];
  readonly xsds: readonly string[];
  /** Whether this process serves the path: its roles decide. */
  isServed(path: string): boolean;
}

/** The way into the documentation. */
export function startPage({ documents, xsds, isServed }: StartPageContext): string {
  const section = (title: string, entries: readonly Entry[]) => {
    const served = entries.filter(({ path }) => isServed(path));
    return served.length === 0 ? "" : `<h2>${title}</h2>\n<ul>\n${served.map(line).join("\n")}\n</ul>`;
  };
  return [
    "<h1>Documentation</h1>",
    "<p>Everything here is served by this deployment itself and describes what it runs.</p>",
    section("REST", [
      { path: "/docs/api", title: "API reference", about: "All services, with a way to try each operation." },
      { path: "/problems", title: "Problems", about: "Every problem that a service answers, and what to do about it." },
      ...documents.map(({ name, title }) => ({
        path: documentPath(name),
        title: `OpenAPI: ${title}`,
        about: "The document, for generators.",
      })),
    ]),
    section("Feeds", [
      ...guides.slice(0, 2).map(({ name, title, about }) => ({ path: `/docs/${name}`, title, about })),
      { path: "/docs/feed-errors", title: "Codes of feeds", about: "Every code of an answer, and its cure." },
      ...xsds.map((name) => ({ path: `/xsd/${name}.xsd`, title: `${name}.xsd`, about: "" })),
    ]),
    section("Events", [
      { path: "/docs/events", title: "Event catalogue", about: "Every topic, with the data of its events." },
      { path: "/asyncapi.json", title: "AsyncAPI", about: "The same, for generators." },
    ]),
    section("Warehouses and carriers", [
      ...guides.slice(2).map(({ name, title, about }) => ({ path: `/docs/${name}`, title, about })),
    ]),
  ].join("\n");
}

interface Entry {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

function line({ path, title, about }: Entry): string {
  const rest = about === "" ? "" : `<br><span class="quiet">${escapeHtml(about)}</span>`;
  return `<li><a href="${path}">${escapeHtml(title)}</a>${rest}</li>`;
}
