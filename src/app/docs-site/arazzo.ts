import { brunoCollection } from "#/app/docs-site/collections/bruno.ts";
import { postmanCollection } from "#/app/docs-site/collections/postman.ts";
import { collectJourney, type JourneyDocument, sharedVariables } from "#/app/docs-site/collections/requests.ts";
import { zipOf } from "#/app/docs-site/collections/zip.ts";
import { publishedDocuments } from "#/http/openapi/openapi.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { readJourneys } from "#/kernel/shipped-files.ts";
import { asideOfSteps } from "#/kernel/telemetry/loop-watch.ts";

export interface PublishedJourney {
  readonly title: string;
  readonly summary: string;
  readonly url: string;
}

/**
 * Journeys through the services as Arazzo documents (OpenAPI Initiative, Arazzo 1.0.1), which programs of tests and agents run:
 * `/arazzo` lists them.
 */
export function registerJourneys(app: HttpServer): readonly PublishedJourney[] {
  const items = [...readJourneys()].map(([file, text]): PublishedJourney => {
    const url = `/arazzo/${file}`;
    const { title, summary } = (JSON.parse(text) as JourneyDocument).info;
    app.get(url, (_request, reply) => reply.header("Cache-Control", cacheControl).type("application/json").send(text));
    return { title, summary, url };
  });
  app.get("/arazzo", (_request, reply) => reply.header("Cache-Control", cacheControl).send({ items }));
  return items;
}

/** The journeys for programs that send requests by hand, with the addresses of this deployment. */
export const collections = [
  { kind: "Postman", title: "Postman", path: "/collections/crossdock.postman_collection.json" },
  { kind: "Bruno", title: "Bruno", path: "/collections/crossdock.bruno.zip" },
] as const;

/** @param addresses known once the server listens. */
export function registerCollections(
  app: HttpServer,
  addresses: () => { readonly base: string; readonly auth: string },
): void {
  const [postman, bruno] = collections;
  const collect = () => {
    const documents = publishedDocuments(app);
    const journeys = [...readJourneys()].flatMap(
      ([file, text]) => collectJourney(file.replace(".json", ""), JSON.parse(text) as JourneyDocument, documents) ?? [],
    );
    const { base, auth } = addresses();
    return ["Crossdock", sharedVariables(base, auth), journeys] as const;
  };
  let collected: ReturnType<typeof collect> | undefined;
  const once = () => {
    collected ??= asideOfSteps(collect);
    return collected;
  };
  app.get(postman.path, (_request, reply) =>
    reply.header("Cache-Control", cacheControl).send(postmanCollection(...once())),
  );
  app.get(bruno.path, (_request, reply) =>
    reply
      .headers({ "Cache-Control": cacheControl, "Content-Disposition": 'attachment; filename="crossdock.bruno.zip"' })
      .type("application/zip")
      .send(zipOf(brunoCollection(...once()))),
  );
}

const cacheControl = "public, max-age=300";
