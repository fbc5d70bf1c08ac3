import type { OperatorContext } from "#/console-api/context.ts";
import { clientsOfScope } from "#/console-api/feeds/document/requested-feed.ts";
import { cutOffs, flow, scopeQuery, trends } from "#/console-api/overview/flow/contract.ts";
import { readCollections, readCutOffs } from "#/console-api/overview/flow/cut-off.ts";
import { readFlow, readTrends } from "#/console-api/overview/flow/flow.ts";
import { feedRateQuery, feedRates, stockHealth, webhookHealth } from "#/console-api/overview/health/contract.ts";
import {
  type Period,
  periodOf,
  readFeedRates,
  readStockHealth,
  readWebhookHealth,
} from "#/console-api/overview/health/health.ts";
import { createSharedAnswers } from "#/console-api/overview/kept-answers.ts";
import { daysMax, serviceLevel, serviceLevelQuery } from "#/console-api/overview/service-level/contract.ts";
import { readServiceLevel } from "#/console-api/overview/service-level/service-level.ts";
import { problemOfDays } from "#/console-api/reports/days.ts";
import { countUncomputed } from "#/console-api/reports/reports.cross-client.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { type Scope, scopeOf } from "#/http/access/operator.ts";
import { invalidRequest } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";

/** Maximum age of an answer, in milliseconds. */
const kept = { live: 2_000, health: 5_000, carriers: 60_000, days: 30_000 } as const;

/**
 * Figures of the operation over all clients: each is cheap, however many orders have existed (contract operations.md
 * §5).
 */
export function addOverviewRoutes(service: HttpServer, { across, clock, database }: OperatorContext): void {
  const share = createSharedAnswers(() => performance.now());
  const of = (scope: Scope, ...rest: readonly unknown[]) => [scope.clientIds, scope.facilityCodes, ...rest];

  service.get(
    "/overview/flow",
    {
      schema: {
        operationId: "readOrderFlow",
        summary: "Number and age of orders at each stage, and orders that are at risk or late",
        description:
          "From receipt to delivery, at one point in time, at most two seconds old. Orders that have left are counted if they were received within the last 60 days, without lost ones.",
        querystring: scopeQuery,
        response: { 200: flow },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const scope = scopeOf(request);
      return share(of(scope, "flow"), kept.live, () => readFlow(across, scope, clock.now()));
    },
  );

  service.get(
    "/overview/cutOff",
    {
      schema: {
        operationId: "readCutOffBoard",
        summary: "Orders against the next cut-off of their facilities, by carrier",
        description:
          "Orders due by the next cut-off or earlier, and how many of them have left. The carrier of an order is the carrier of its parcel, or else the carrier that the client chose.",
        querystring: scopeQuery,
        response: { 200: cutOffs },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const scope = scopeOf(request);
      return share(of(scope, "cutOff"), kept.live, async () => {
        const collections = await share(["collections"], kept.carriers, () => readCollections(across));
        return readCutOffs(across, scope, clock.now(), collections);
      });
    },
  );

  service.get(
    "/overview/feeds",
    {
      schema: {
        operationId: "readFeedRates",
        summary: "Accepted and rejected documents, by minute, hour or day",
        description:
          "By time of receipt, over HTTP or SFTP. With a facility: the documents of the clients of that facility.",
        querystring: feedRateQuery,
        response: { 200: feedRates },
      } as const,
    },
    async (request) => {
      const scope = scopeOf(request);
      const { minutes = 60, to } = request.query;
      const toMs = to === undefined ? undefined : Date.parse(readDateTime(to) as string);
      if (toMs !== undefined && !isShown(periodOf(minutes, toMs))) {
        const message = "must leave the whole period within the years 1000 to 9998";
        return refused(invalidRequest([{ pointer: "/query/to", message }]));
      }
      return share(of(scope, "feeds", minutes, to), minutes > 360 ? kept.days : kept.live, async () => {
        const clientIds = await clientsOfScope({ across }, scope);
        return readFeedRates(across, { clientIds }, periodOf(minutes, toMs ?? clock.now()));
      });
    },
  );

  service.get(
    "/overview/webhooks",
    {
      schema: {
        operationId: "readWebhookHealth",
        summary: "State of webhooks",
        querystring: scopeQuery,
        response: { 200: webhookHealth },
      } as const,
    },
    (request) => {
      const scope = scopeOf(request);
      return share(of(scope, "webhooks"), kept.health, () => readWebhookHealth(across, scope, clock.now()));
    },
  );

  service.get(
    "/overview/stock",
    {
      schema: {
        operationId: "readStockHealth",
        summary: "Stock that needs attention",
        querystring: scopeQuery,
        response: { 200: stockHealth },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const scope = scopeOf(request);
      return share(of(scope, "stock"), kept.health, () => readStockHealth(across, scope, clock.now()));
    },
  );

  service.get(
    "/overview/trends",
    {
      schema: {
        operationId: "readOrderTrends",
        summary: "Orders received, despatched and delivered on each of the last 30 days",
        description: "A day is a day in the time zone of each order's facility. At most half a minute old.",
        querystring: scopeQuery,
        response: { 200: trends },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const scope = scopeOf(request);
      return share(of(scope, "trends"), kept.days, () => readTrends(across, scope, clock.now()));
    },
  );

  service.get(
    "/overview/serviceLevel",
    {
      schema: {
        operationId: "readServiceLevel",
        summary: "Orders of a client by day, week or month of receipt, against their despatch times",
        description: "An order has left when its last parcel has.",
        querystring: serviceLevelQuery,
        response: { 200: serviceLevel },
      } as const,
      config: { partition: "scope", answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const { from, to, by = "day" } = request.query;
      const fault = problemOfDays({ from, to }, daysMax);
      if (fault) return refused(fault);
      const { facilityCodes } = scopeOf(request);
      const clientId = clientIdOf(request);
      const nowMs = clock.now();
      const [report, uncomputed] = await Promise.all([
        readServiceLevel(database, clientId, { facilityCodes, from, to, by }, nowMs),
        countUncomputed(across, { clientIds: [clientId] }, { from, to }, nowMs),
      ]);
      return { ...report, uncomputed };
    },
  );
}

/** A date-time of the API has a year of 1000 to 9998. */
const isShown = ({ beginMs, endMs }: Period) =>
  [beginMs, endMs].every((ms) => readDateTime(new Date(ms).toISOString()) !== undefined);
