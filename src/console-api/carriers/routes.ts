import type { FastifyRequest } from "fastify";
import {
  activated,
  activation,
  checked,
  checking,
  type DecisionSummary,
  decisionCursor,
  decisionListQuery,
  decisionPage,
  setCursor,
  setListQuery,
  setPage,
  setQuery,
  type TrialDecision,
  trial,
  trialDecision,
  wholeSet,
} from "#/console-api/carriers/contract.ts";
import { findReachOfDecisions, findSet, listDecisions, listSets } from "#/console-api/carriers/repository.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf, scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import { readPage } from "#/http/requests/paging.ts";
import { exchangeOf, longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import {
  type CarrierData,
  createDraftChecks,
  findShippingFacility,
  findUnknownSources,
  operatorsDefault,
  saveCarrierData,
} from "#/modules/carriers/index.ts";

const versionEnd = 2_147_483_647;
const idStart = "00000000-0000-0000-0000-000000000000";
const idEnd = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Carrier data: versions, checks, activation, and preview of the decisions of a draft (contract carriers.md). */
export function addCarrierDataRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, clock } = context;
  const drafts = createDraftChecks();
  service.addHook("onClose", () => drafts.close());

  service.get(
    "/carrierData/list",
    {
      schema: {
        operationId: "listCarrierData",
        summary: "The versions of a set of carrier data",
        description:
          "The highest activated version is in force. Older ones are kept for the decisions that were made with them.",
        querystring: setListQuery,
        response: { 200: setPage },
      } as const,
    },
    async (request) => {
      const { clientId: owner = operatorsDefault } = request.query;
      if (isClosedTo(request, owner)) return refused(closedSet);
      const page = await readPage(request.query, {
        cursors: setCursor,
        read: (before, limit) => listSets(database, owner, before?.version ?? versionEnd, limit),
        placeOf: ({ version }) => ({ version }),
      });
      return page;
    },
  );

  service.get(
    "/carrierData/get",
    {
      schema: {
        operationId: "getCarrierData",
        summary: "A complete set of carrier data",
        description: "For a client without a separate set this is the operator's, unless a version is named.",
        querystring: setQuery,
        response: { 200: wholeSet },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { clientId: owner = operatorsDefault, version } = request.query;
      if (isClosedTo(request, owner)) return refused(closedSet);
      const [latest] = await listSets(database, owner, versionEnd, 1);
      const row = await findSet(database, owner, version);
      const set = row ?? (version === undefined ? await findSet(database, operatorsDefault, undefined) : undefined);
      if (!set) return refused(problem("not-found", "There is no such set of carrier data yet."));
      return reply.header("ETag", entityTag(set.version)).send({
        ...set,
        // A client without its own set gets the operator's.
        isOwn: (set.clientId ?? operatorsDefault) === owner,
        latestVersion: latest?.version ?? 0,
      });
    },
  );

  service.post(
    "/carrierData/check",
    {
      schema: {
        operationId: "checkCarrierData",
        summary: "Validate a set of carrier data without activating it",
        description: "Checks its shape, its rules and all references; each fault has its place. Nothing is stored.",
        body: checking,
        response: { 200: checked },
      } as const,
      config: { ...answers(), role: "viewer", isPlatform: true, answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const { faults, warnings } = await drafts.check(draftRequestOf(request));
      // Only data of the right form can be asked for the sources that they name.
      const unknown = faults.length === 0 ? await findUnknownSources(database, request.body.data as CarrierData) : [];
      return { faults: [...faults, ...unknown], warnings: [...warnings] };
    },
  );

  service.post(
    "/carrierData/activate",
    {
      schema: {
        operationId: "activateCarrierData",
        summary: "Activate a complete set of carrier data",
        description:
          "It becomes the next version. To go back, activate the data of an older version. A set with faults is refused, with all of them.",
        headers: createHeaders,
        body: activation,
        response: { 200: activated },
      } as const,
      config: { ...answers(409, 422), role: "admin", isPlatform: true, answerMsMax: longAnswerMsMax },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { clientId: owner = operatorsDefault, basedOn, note, data } = request.body;
        const [latest] = await listSets(tx.plain, owner, versionEnd, 1);
        const version = latest?.version ?? 0;
        if (version !== basedOn) {
          const by = latest ? ` by ${latest.createdBy}` : "";
          const detail = `Version ${version} was created${by} while this was edited from version ${basedOn}. Read it, and activate again.`;
          return refused(problem("conflict", detail));
        }
        const saved = await saveCarrierData(tx.plain, tx.change, { owner, data, note });
        if (saved.ok) return answered(saved.value, { headers: { ETag: entityTag(saved.value.version) } });
        return refused(unprocessable(saved.fault, "#/data/"));
      }),
  );

  service.post(
    "/carrierData/try",
    {
      schema: {
        operationId: "tryCarrierData",
        summary: "The decision of a draft for a shipment",
        description: "Answers each candidate's reason, like a determination. Nothing is stored.",
        body: trial,
        response: { 200: trialDecision },
      } as const,
      config: { ...answers(422), role: "viewer", isPlatform: true, answerMsMax: longAnswerMsMax },
    },
    async (request, reply) => {
      const { request: shipment, at } = request.body;
      const atMs = at === undefined ? clock.now() : Date.parse(at);
      const facility = await findShippingFacility(database, shipment.distributionCentre);
      const trial = await drafts.try(draftRequestOf(request), facility, atMs);
      if (!trial.ok) return refused(unprocessable(trial.fault, "#/"));
      const { dataVersion: _none, ...decision } = trial.value.decision;
      return reply.send({ ...decision, warnings: [...trial.value.warnings] } as TrialDecision);
    },
  );

  service.get(
    "/carrierDecision/list",
    {
      schema: {
        operationId: "listCarrierDecisions",
        summary: "Decisions of a client, the newest first",
        description: "In short form; the Carrier Determination service answers one in full.",
        querystring: decisionListQuery,
        response: { 200: decisionPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { orderId } = request.query;
      const view = database.of(clientIdOf(request));
      const { facilityCodes } = scopeOf(request);
      return readSearchedPage(request.query, {
        cursors: decisionCursor,
        search: (after, limit) =>
          lookThrough<DecisionSummary, string>({
            after: after?.before,
            limit,
            placeOf: ({ decisionId }) => decisionId,
            list: (before = idEnd, from = idStart, most) =>
              listDecisions(view, { orderId, facilityCodes, before, from, limit: most }),
            findReach:
              orderId === undefined && facilityCodes !== null
                ? (before = idEnd, looked) => findReachOfDecisions(view, before, looked)
                : undefined,
          }),
        positionOf: (before) => ({ before }),
      });
    },
  );
}

const draftRequestOf = <Body>(request: FastifyRequest & { readonly body: Body }) => ({
  owner: operatorOf(request).userName,
  text: exchangeOf(request).bodyText ?? "",
  body: request.body,
});

/** The house's set has its cost prices. Users of some clients see it only as the set in force of a client without one. */
const isClosedTo = (request: FastifyRequest, owner: string) =>
  owner === operatorsDefault && scopeOf(request).clientIds !== null;

const closedSet = problem(
  "scope-forbidden",
  "The operator's set of carrier data is open to users of all clients: name a client.",
);

/** @param below the place in the body below which the faults are. */
function unprocessable(faults: readonly RequestFault[], below: string) {
  const errors = faults.map(({ pointer, message }) => ({ pointer: pointer.replace("#/", below), message }));
  const more = errors.length > 1 ? `; and ${errors.length - 1} more` : "";
  return problem("unprocessable", `${errors[0]?.pointer} ${errors[0]?.message}${more}`, { errors });
}
