import { mayActAs } from "#/console-api/access/domain.ts";
import { findUser, listWorkers } from "#/console-api/access/user-repository.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { annotateExceptions } from "#/console-api/exceptions/annotate.ts";
import * as contract from "#/console-api/exceptions/contract.ts";
import { microsecondsOf } from "#/console-api/exceptions/instant.ts";
import {
  type CountKey,
  countExceptions,
  listCauses,
  listExceptions,
  listOfCause,
  type TypeCount,
} from "#/console-api/exceptions/reading.ts";
import { addRetryRoute } from "#/console-api/exceptions/retry-route.ts";
import { type ExceptionType, exceptionTypes } from "#/console-api/exceptions/types.ts";
import { operatorOf, scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { changeOf } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";

interface FilterQuery {
  readonly owner?: string;
  readonly isSnoozed?: boolean;
  readonly minAgeMinutes?: number;
  readonly text?: string;
}

/** The exceptions of all clients in one list (contract lifecycle.md, warehouse.md, feeds.md, webhooks.md, sftp.md). */
export function addExceptionRoutes(service: HttpServer, context: OperatorContext): void {
  const { across, clock } = context;
  const now = () => new Date(clock.now()).toISOString();

  service.get(
    "/exception/list",
    {
      schema: {
        operationId: "listExceptions",
        summary: "Open exceptions, or snoozed ones",
        description:
          "The list is computed from the present state, without dismissed exceptions. A snoozed exception is not open until its time.",
        querystring: contract.listQuery,
        response: { 200: contract.exceptionPage },
      } as const,
      config: { ...answers(503), partition: "scope" },
    },
    async (request) => {
      const { type, cause, sort = "-since" } = request.query;
      const at = now();
      const filter = { ...scopeOf(request), ...filterOf(request.query, operatorOf(request).userName, at) };
      const listed = { ...filter, types: typesOf(type) };
      const page = { ...request.query, at, sort };
      return across.transaction((tx) =>
        cause === undefined ? listExceptions(tx, listed, page) : listOfCause(tx, listed, page, cause),
      );
    },
  );

  service.get(
    "/exception/causes",
    {
      schema: {
        operationId: "listExceptionCauses",
        summary: "Open exceptions, by cause",
        description:
          "Exceptions with one cause, such as the deliveries that a receiver did not accept, are one record. The newest 500 exceptions of each type are grouped.",
        querystring: contract.causesQuery,
        response: { 200: contract.exceptionCauses },
      } as const,
      config: { ...answers(503), partition: "scope" },
    },
    async (request) => {
      const at = now();
      const filter = { ...scopeOf(request), ...filterOf(request.query, operatorOf(request).userName, at) };
      const listed = { ...filter, types: typesOf(request.query.type) };
      return across.transaction((tx) => listCauses(tx, listed, { at, sort: request.query.sort ?? "severity" }));
    },
  );

  service.get(
    "/exception/summary",
    {
      schema: {
        operationId: "summariseExceptions",
        summary: "Number of exceptions, by type",
        description: `Each type is counted up to ${contract.countMax}.`,
        querystring: contract.summaryQuery,
        response: { 200: contract.exceptionSummary },
      } as const,
      config: { ...answers(503), partition: "scope" },
    },
    async (request) => {
      const at = now();
      const { userName } = operatorOf(request);
      const filter = { ...scopeOf(request), ...filterOf(request.query, userName, at) };
      const { hasFigures, hasClients = false } = request.query;
      const page = { at, limit: contract.countMax, userName };
      const snoozed = { ...filter, isSnoozed: true };
      const [{ types, clients }, ofSnoozed] = await across.transaction((tx) =>
        Promise.all([
          countExceptions(tx, filter, { ...page, isByClient: hasClients }),
          hasFigures ? countExceptions(tx, snoozed, page) : undefined,
        ]),
      );
      const sumOf = (counts: readonly TypeCount[], key: CountKey) => counts.reduce((sum, of) => sum + of[key], 0);
      const answer = {
        total: sumOf(types, "count"),
        types: [...types],
        ...(hasClients ? { clients: [...clients].map(([clientId, count]) => ({ clientId, count })) } : {}),
      };
      if (ofSnoozed === undefined) return answer;
      const figures = {
        mine: sumOf(types, "mine"),
        unassigned: sumOf(types, "unassigned"),
        olderThanDay: sumOf(types, "olderThanDay"),
        snoozed: sumOf(ofSnoozed.types, "count"),
      };
      return { ...answer, figures };
    },
  );

  service.get(
    "/exception/owners",
    {
      schema: {
        operationId: "listExceptionOwners",
        summary: "Users whom exceptions can be assigned to",
        description: "Operators and admins who are not suspended, and who share a client and a facility with the user.",
        response: { 200: contract.exceptionOwners },
      } as const,
      config: { ...answers(), role: "operator", partition: "scope" },
    },
    async (request) => ({
      items: [...(await listWorkers(context.database, operatorOf(request), contract.ownersMax))],
    }),
  );

  service.post(
    "/exception/assign",
    {
      schema: {
        operationId: "assignExceptions",
        summary: "Assign exceptions to a user",
        description: "Any user with the role operator or admin who is not suspended.",
        body: contract.assignBody,
        response: { 200: contract.outcomes },
      } as const,
      config: { ...answers(422), isPlatform: true, partition: "scope" },
    },
    async (request) => {
      const { exceptionIds, owner } = request.body;
      const user = owner === undefined ? undefined : await findUser(context.database, owner);
      if (owner !== undefined && !user) return refused(problem("unprocessable", `There is no user ${owner}.`));
      if (user && (user.isSuspended || !mayActAs(user.role, "operator"))) {
        const why = user.isSuspended ? "is suspended" : `is a ${user.role}`;
        const detail = `User ${user.userName} ${why}; assign to an active operator or admin.`;
        return refused(problem("unprocessable", detail));
      }
      const annotation = { what: "owner", owner: user?.userName ?? null } as const;
      return {
        results: await annotateExceptions(
          context,
          changeOf(context, request),
          scopeOf(request),
          exceptionIds,
          annotation,
        ),
      };
    },
  );

  service.post(
    "/exception/note",
    {
      schema: {
        operationId: "noteExceptions",
        summary: "Set the note of exceptions",
        body: contract.noteBody,
        response: { 200: contract.outcomes },
      } as const,
      config: { ...answers(), isPlatform: true, partition: "scope" },
    },
    async (request) => {
      const { exceptionIds, note = null } = request.body;
      const annotation = { what: "note", note } as const;
      return {
        results: await annotateExceptions(
          context,
          changeOf(context, request),
          scopeOf(request),
          exceptionIds,
          annotation,
        ),
      };
    },
  );

  service.post(
    "/exception/snooze",
    {
      schema: {
        operationId: "snoozeExceptions",
        summary: "Snooze exceptions until a time, or end the snooze",
        description:
          "They leave the open list and its counts, and come back by themselves. A new occurrence, another exception of the same cause and a worse type, such as ORDER_LATE after ORDER_AT_RISK, are other exceptions and are open at once.",
        body: contract.snoozeBody,
        response: { 200: contract.outcomes },
      } as const,
      config: { ...answers(422), isPlatform: true, partition: "scope" },
    },
    async (request) => {
      const { exceptionIds, until: requested } = request.body;
      const change = changeOf(context, request);
      const until = requested === undefined ? null : readDateTime(requested);
      if (until === undefined || (until !== null && !isWithinSnooze(until, change.at))) {
        const detail = `until must be later than now, and at most ${contract.snoozeDaysMax} days from now.`;
        return refused(problem("unprocessable", detail));
      }
      const by = until === null ? null : operatorOf(request).userName;
      const annotation = { what: "snoozed", until, by } as const;
      return { results: await annotateExceptions(context, change, scopeOf(request), exceptionIds, annotation) };
    },
  );

  service.post(
    "/exception/resolve",
    {
      schema: {
        operationId: "resolveExceptions",
        summary: "Dismiss exceptions",
        description:
          "The cause is not changed; the exception is hidden until it occurs again, for example when an order is held again.",
        body: contract.resolveBody,
        response: { 200: contract.outcomes },
      } as const,
      config: { ...answers(), isPlatform: true, partition: "scope" },
    },
    async (request) => {
      const { exceptionIds, reason } = request.body;
      const change = changeOf(context, request);
      const annotation = { what: "resolved", by: change.actor, reason } as const;
      return { results: await annotateExceptions(context, change, scopeOf(request), exceptionIds, annotation) };
    },
  );

  addRetryRoute(service, context);
}

const typesOf = (type: string | undefined): readonly ExceptionType[] =>
  type === undefined ? exceptionTypes : (type.split(",") as ExceptionType[]);

/** Both ISO 8601 UTC. */
function isWithinSnooze(until: string, at: string): boolean {
  const aheadMs = Date.parse(until) - Date.parse(at);
  return aheadMs > 0 && aheadMs <= contract.snoozeDaysMax * dayMs;
}

/** @param at ISO 8601 */
function filterOf({ owner, isSnoozed = false, minAgeMinutes, text }: FilterQuery, userName: string, at: string) {
  return {
    isSnoozed,
    owner: owner === "none" ? null : owner === "me" ? userName : owner,
    untilUs: minAgeMinutes === undefined ? undefined : microsecondsOf(at) - minAgeMinutes * 60_000_000,
    text,
  };
}
