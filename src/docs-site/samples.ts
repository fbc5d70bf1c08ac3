import { escapeHtml, sendPage, strictHeaders } from "#/http/requests/page.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { readSamples } from "#/kernel/shipped-files.ts";

const folders = [
  {
    name: "accepted",
    title: "Documents that are accepted",
    about:
      "CAT, PO, NO and RMA use every element and attribute of their feed, the minimal ones as few as possible; UPDATE and CANCEL change earlier documents.",
  },
  {
    name: "refused",
    title: "Documents that are refused",
    about: "Each is named after its error. The file that ends with .ack.xml is its acknowledgement.",
  },
  {
    name: "outbound",
    title: "Documents that a client receives",
    about: "One of each type with every element that the type has.",
  },
] as const;

/** The sample documents of the repository at `/samples/{folder}/{file}`. Only files found at the start are served. */
export function registerSamples(app: HttpServer): void {
  const listed = folders.map((folder) => ({ ...folder, files: readSamples(folder.name) }));
  const documents: ReadonlyMap<string, Buffer> = new Map(
    listed.flatMap(({ name, files }) => [...files].map(([file, bytes]) => [`${name}/${file}`, bytes] as const)),
  );
  const body = samplesPage(listed);
  app.get("/samples", (_request, reply) => sendPage(reply, { title: "Sample documents", body }));
  app.get("/samples/", (_request, reply) => reply.redirect("/samples", 301));
  app.get<{ Params: { "*": string } }>("/samples/*", (request, reply) => {
    const name = request.params["*"];
    const bytes = documents.get(name);
    if (!bytes) return sendPage(reply.code(404), { title: "No such sample", body: absentSample(name) });
    // Some samples use encodings other than UTF-8. Their XML declaration names it, and a charset here overrides that.
    return reply.headers(strictHeaders).header("content-type", "application/xml").send(bytes);
  });
}

type Listed = (typeof folders)[number] & { readonly files: ReadonlyMap<string, Buffer> };

function samplesPage(listed: readonly Listed[]): string {
  const sections = listed.map(({ name, title, about, files }) => {
    const links = [...files.keys()].map(
      (file) => `<li><a href="/samples/${name}/${file}">${escapeHtml(file)}</a></li>`,
    );
    return `<h2 id="${name}">${title}</h2>\n<p>${about}</p>\n<ul>\n${links.join("\n")}\n</ul>`;
  });
  return `<h1>Sample documents</h1>
<p>The documents that the guides and the tests use, as in the folder <code>samples</code> of the repository. All are of client
<code>DEMO</code> and facility <code>DC1</code>; the acknowledgements of the refused ones hold for a system that has accepted
<code>CAT.xml</code>, <code>PO.xml</code>, <code>NO.xml</code> and <code>RMA.xml</code>.</p>
${sections.join("\n")}`;
}

function absentSample(name: string): string {
  return `<h1>There is no such sample</h1>
<p>There is no document <code>/samples/${escapeHtml(name)}</code>.</p>
<p><a href="/samples">All sample documents</a></p>`;
}
