import { eventBody, sampleBody } from "#/delivery/webhooks/events/event-body.ts";
import { type EventFilter, readEvents } from "#/delivery/webhooks/events/event-list.ts";
import type { WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
import { type Topic, topicsNamed, topicsOf } from "#/delivery/webhooks/events/topics.ts";
import {
  type EventListQuery,
  eventCursor,
  eventFeed,
  eventListQuery,
  type TopicRecord,
  topicCursor,
  topicSchemas,
} from "#/delivery/webhooks/rest-contract.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { pageLimitDefault, placeOf, readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer, PolledRoute } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";

/** Reads the event log (webhooks.md §1, rest.md §3). */
export function addEventRoutes(service: HttpServer, { database }: ServiceContext): void {
  service.get(
    "/event/list",
    {
      schema: {
        operationId: "listEvents",
        summary: "The event log, as a change feed: read events that a receiver missed",
        description:
          "Every event of the last 90 days, with or without a webhook for it, in the order in which they became visible. Without cursor and `since` it starts with the oldest stored event; an older cursor continues there. With a filter, a request reads a bounded number of events. A page may be short or empty before the end: continue until `nextCursor` is the cursor that was sent.",
        querystring: eventListQuery,
        response: { 200: eventFeed },
      } as const,
      config: { ...answers(422), isPolled: true } satisfies PolledRoute & ReturnType<typeof answers>,
    },
    async (request) => {
      const { query } = request;
      const clientId = clientIdOf(request);
      const place = placeOf(eventCursor, query.cursor);
      if (!place.ok) return place;
      if (place.value !== undefined && place.value.c !== clientId) return refused(otherClientsCursor);
      const filter = filterOf(query);
      if (filter.topicNames?.length === 0) return refused(unknownTopic(query.topicName ?? ""));
      const { events, nextPosition } = await readEvents(database, clientId, {
        filter,
        after: place.value?.p,
        since: query.since === undefined ? undefined : readDateTime(query.since),
        limit: query.limit ?? pageLimitDefault,
      });
      return {
        items: events.map((event) => ({ ...eventBody(clientId, event), position: event.position })),
        nextCursor: eventCursor.encode({ p: nextPosition, c: clientId }),
      };
    },
  );
}

/** Lists the topics to which a client may subscribe, or a facility. */
export function addTopicRoutes(service: HttpServer, owner: WebhookOwner = "client"): void {
  const schemas = topicSchemas[owner];
  service.get(
    "/webhook/topics",
    {
      schema: {
        operationId: "listTopics",
        summary: "Topics of webhooks",
        querystring: schemas.topicListQuery,
        response: { 200: schemas.topicPage },
      } as const,
    },
    (request) =>
      readPage(request.query, {
        cursors: topicCursor,
        async read(after, limit) {
          const topics = topicsOf(clientIdOf(request));
          const from = topics.findIndex(({ topicName }) => topicName === after?.n) + 1;
          return topics.slice(from, from + limit);
        },
        placeOf: ({ topicName }) => ({ n: topicName }),
        itemOf: topicRecord,
      }),
  );
}

const otherClientsCursor = invalidRequest([
  { pointer: "/query/cursor", message: "is a nextCursor of another client's list" },
]);

function unknownTopic(topicName: string) {
  const message = `${topicName} is not a topic or a group of topics; /v1/webhookService/webhook/topics lists them`;
  return problem("unprocessable", `topicName ${message}`, { errors: [{ pointer: "/query/topicName", message }] });
}

/** `*` is the default. */
function filterOf({ topicName = "*", facilityCode = "*", objectType, objectId }: EventListQuery): EventFilter {
  return {
    topicNames: topicName === "*" ? undefined : topicsNamed(topicName).map((topic) => topic.topicName),
    facilityCode: facilityCode === "*" ? undefined : facilityCode,
    objectType,
    objectId,
  };
}

function topicRecord(topic: Topic): TopicRecord {
  const { topicName, when, family } = topic;
  return {
    topicName,
    objectType: family.objectType,
    object: family.object,
    description: when,
    documentation: `/docs/events#${topicName}`,
    sample: sampleBody(topic) as TopicRecord["sample"],
  };
}
