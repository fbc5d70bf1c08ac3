import type { HttpServer } from "#/http/server/server.ts";
import { readJourneys } from "#/kernel/shipped-files.ts";

interface JourneyDocument {
  readonly info: { readonly title: string; readonly summary: string };
}

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

const cacheControl = "public, max-age=300";
