import type { Static } from "typebox";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { templateOf } from "#/intake/json/contract.ts";
import { addJsonFeed, type JsonIntakeContext } from "#/intake/json/routes.ts";
import { unprocessableFaults } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import {
  type FoundItemRecord,
  itemAnswer,
  itemAnswers,
  itemBySkuQuery,
  itemCursors,
  itemCustoms,
  itemListQuery,
  itemPage,
  itemQuery,
  skuListBody,
} from "#/modules/catalogue/rest-contract.ts";
import * as repository from "#/modules/catalogue/rest-repository.ts";
import { answersOf, customsRecord, itemRecord } from "#/modules/catalogue/rest-repository.ts";
import { itemUpsert, itemUpserts } from "#/modules/catalogue/upsert.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** Routes of the Item Master service (contract rest.md §3): the catalogue data of the client's products. */
export function addItemRoutes(service: HttpServer, context: JsonIntakeContext): void {
  const { database } = context;
  addJsonFeed(service, context, itemUpserts);

  service.get(
    "/findItemBySku",
    {
      schema: {
        operationId: "findItemBySku",
        summary: "The item of one SKU",
        description:
          "An unknown SKU is not an error: it is answered with 200, `found` false and null in all other fields. The ETag is that of the item; an unknown SKU has none.",
        querystring: itemBySkuQuery,
        response: { 200: itemAnswer },
      } as const,
    },
    async (request, reply) => {
      const { sku } = request.query;
      const rows = await repository.findItems(database.of(clientIdOf(request)), [sku]);
      const [row] = rows;
      if (row) reply.header("ETag", entityTag(row.version));
      return reply.send(answersOf([sku], rows)[0] as FoundItemRecord);
    },
  );

  service.get(
    "/item/customs",
    {
      schema: {
        operationId: "getItemCustoms",
        summary: "Customs data of an item, and what it lacks for each destination",
        description: "Each rule has its source and the day from which it applies. None of it is legal advice.",
        querystring: itemBySkuQuery,
        response: { 200: itemCustoms },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const [item] = await repository.findItems(database.of(clientId), [request.query.sku]);
      return item ? customsRecord(clientId, item) : refused(problem("not-found", "No CAT has brought this SKU."));
    },
  );

  service.post(
    "/findItemBySkuList",
    {
      schema: {
        operationId: "findItemBySkuList",
        summary: "The items of up to 1 000 SKUs",
        description:
          "Every SKU is answered, in the order of the request, duplicates once; an unknown one with `found` false and null in all other fields.",
        querystring: itemQuery,
        body: skuListBody,
        response: { 200: itemAnswers },
      } as const,
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { skus } = request.body;
      return { clientId, items: answersOf(skus, await repository.findItems(database.of(clientId), skus)) };
    },
  );

  service.post(
    "/item/template",
    {
      schema: {
        operationId: "getItemTemplates",
        summary: "Up to 1 000 stored items as a body of upsertItems",
        description:
          "The fields that a sender sets, without those that are null, in the order of the request; duplicates once. An unknown SKU is refused with 422, which names it.",
        querystring: itemQuery,
        body: skuListBody,
        response: { 200: itemUpsert },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const skus = [...new Set(request.body.skus)];
      const rows = await repository.findItems(database.of(clientIdOf(request)), skus);
      const found = new Map(rows.map((row) => [row.sku, row]));
      const faults = skus.flatMap((sku) => (found.has(sku) ? [] : [unknownAt(request.body.skus.indexOf(sku), sku)]));
      if (faults.length > 0) return refused(unprocessableFaults(faults));
      return templateOf(itemUpsert, { items: skus.map((sku) => found.get(sku)) }) as Static<typeof itemUpsert>;
    },
  );

  service.get(
    "/item/list",
    {
      schema: {
        operationId: "listItems",
        summary: "Items by receipt, oldest first unless sorted the other way",
        description: "An item is received when a catalogue first contains it.",
        querystring: itemListQuery,
        response: { 200: itemPage },
      } as const,
    },
    async (request) => {
      const { sort = "receivedAt", active } = request.query;
      const updatedSince = request.query.updatedSince && readDateTime(request.query.updatedSince);
      const clientId = clientIdOf(request);
      return readPage(request.query, {
        cursors: itemCursors[sort],
        read: (after, limit) =>
          readSnapshot(database, (tx) =>
            repository.listItems(tx.of(clientId), { active, updatedSince, sort, after, limit }),
          ),
        placeOf: ({ createdUs, sku }) => ({ us: createdUs, id: sku }),
        itemOf: itemRecord,
      });
    },
  );
}

const unknownAt = (place: number, sku: string) => ({ pointer: `#/skus/${place}`, message: `SKU ${sku} is unknown` });
