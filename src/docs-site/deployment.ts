import { publishedXsds } from "#/feeds/http/xsd-routes.ts";
import { operatorPrefix, sessionCookie } from "#/http/access/operator.ts";
import { documentPath, publishedDocuments } from "#/http/openapi/openapi.ts";
import type { HttpServer } from "#/http/server/server.ts";

/** URLs without a trailing slash. */
export interface Addresses {
  readonly feed: string;
  readonly auth: string;
  readonly base: string;
}

interface ServedFile {
  readonly kind: string;
  readonly title: string;
  readonly path: string;
}

/**
 * What the pages cannot know when they are built: the addresses of the deployment, the files for generators and
 * validators that this process serves, according to its roles, and whether its operator service may know the reader.
 * @param cookies of the request
 */
export function deploymentOf(app: HttpServer, addresses: Addresses, cookies = "") {
  const files: readonly ServedFile[] = [
    ...publishedXsds.map((name) => ({ kind: "XSD", title: name, path: `/xsd/${name}.xsd` })),
    { kind: "Events", title: "AsyncAPI", path: "/asyncapi.json" },
    ...publishedDocuments(app).map(({ name, title }) => ({ kind: "OpenAPI", title, path: documentPath(name) })),
  ];
  const hasConsole = app.hasRoute({ method: "GET", url: `${operatorPrefix}/session/get` });
  // Only the presence: a page without a session then sends no request that is refused.
  const hasSession = hasConsole && cookies.includes(`${sessionCookie}=`);
  return { addresses, hasSession, files: files.filter(({ path }) => app.hasRoute({ method: "GET", url: path })) };
}
