import type { OperatorContext } from "#/console-api/context.ts";
import {
  purchaseAction,
  purchaseCursor,
  purchaseListQuery,
  purchasePage,
  purchasePath,
  purchaseQuery,
  type SourceHealth,
  type SourceRecord,
  source,
  sourceCreate,
  sourceList,
  sourcePatch,
  sourcePath,
  tested,
} from "#/console-api/labels/contract.ts";
import {
  findReachOfPurchases,
  listPurchases,
  readHealthOfSources,
} from "#/console-api/labels/purchases.cross-client.ts";
import type { NewestPlace } from "#/console-api/newest-first.cross-client.ts";
import { testSource } from "#/delivery/labels/index.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, changeHeaders, createHeaders } from "#/http/requests/idempotency.ts";
import { entityTag, refusalOfVersion } from "#/http/requests/if-match.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import {
  checkSource,
  findSource,
  type LabelSource,
  listSources,
  lockPurchase,
  openHeaders,
  ownSource,
  retryPurchase,
  saveSource,
  sealHeaders,
  sourcesMax,
} from "#/modules/labels/index.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

const admin = { role: "admin", isPlatform: true } as const;
const noHealth: SourceHealth = { pending: 0, bought: 0, failed: 0, lastError: null, oldestPendingAt: null };

/** Label sources, and the purchases of labels (contract carriers.md, Label sources). */
export function addLabelRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across, clock, secretBox, sourceClient } = context;

  async function healthNow(): Promise<ReadonlyMap<string, SourceHealth>> {
    return readHealthOfSources(across, new Date(clock.now() - dayMs).toISOString());
  }

  service.get(
    "/labelSource/list",
    {
      schema: {
        operationId: "listLabelSources",
        summary: "The label sources, with their health",
        response: { 200: sourceList },
      } as const,
      config: { ...answers(), role: "viewer", isPlatform: true },
    },
    async () => {
      const [sources, health] = await Promise.all([listSources(database), healthNow()]);
      return { items: sources.map((stored) => recordOf(secretBox, stored, health.get(stored.sourceCode))) };
    },
  );

  service.get(
    "/labelSource/get/:sourceCode",
    {
      schema: {
        operationId: "getLabelSource",
        summary: "A label source",
        params: sourcePath,
        response: { 200: source },
      } as const,
      config: { ...answers(404), role: "viewer", isPlatform: true },
    },
    async (request, reply) => {
      const { sourceCode } = request.params;
      const [stored, health] = await Promise.all([findSource(database, sourceCode), healthNow()]);
      if (!stored) return refused(unknownSource);
      return reply.header("ETag", entityTag(stored.version)).send(recordOf(secretBox, stored, health.get(sourceCode)));
    },
  );

  service.post(
    "/labelSource/create",
    {
      schema: {
        operationId: "createLabelSource",
        summary: "Set up a label source",
        description: "Services of the carrier data name it in labelSources.",
        headers: createHeaders,
        body: sourceCreate,
        response: { 201: source },
      } as const,
      config: { ...answers(409, 422), ...admin },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { sourceCode, name, kind, url, isActive = true, headers, definition = {} } = request.body;
        const sources = await listSources(tx.plain);
        if (sourceCode === ownSource || sources.some((other) => other.sourceCode === sourceCode)) {
          return refused(problem("conflict", `There is a label source ${sourceCode} already.`));
        }
        if (sources.length >= sourcesMax) {
          return refused(problem("conflict", `There are ${sourcesMax} label sources already.`));
        }
        const stored: LabelSource = {
          sourceCode,
          name,
          kind,
          url,
          isActive,
          definition,
          headersSealed: headers === undefined ? null : sealHeaders(secretBox, sourceCode, headers),
          updatedBy: tx.change.actor,
          createdAt: tx.change.at,
          updatedAt: tx.change.at,
          version: 1,
        };
        const fault = store(tx, stored, "create");
        if (fault) return refused(fault);
        const location = `${service.prefix}/labelSource/get/${encodeURIComponent(sourceCode)}`;
        const made = { status: 201, headers: { ETag: entityTag(1), Location: location } } as const;
        return answered(recordOf(secretBox, stored, undefined), made);
      }),
  );

  service.patch(
    "/labelSource/patch/:sourceCode",
    {
      schema: {
        operationId: "patchLabelSource",
        summary: "Change a label source",
        description: "Purchases that wait are sent as the source is set up then.",
        params: sourcePath,
        headers: changeHeaders,
        body: sourcePatch,
        response: { 200: source },
      } as const,
      config: { ...answers(404, 409, 412, 422), ...admin },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { sourceCode } = request.params;
        const { headers, ...changes } = request.body;
        const before = await findSource(tx.plain, sourceCode);
        if (!before) return refused(unknownSource);
        const stale = refusalOfVersion(request.headers["if-match"], before.version);
        if (stale) return refused(stale);
        const stored: LabelSource = {
          ...before,
          ...changes,
          headersSealed: headers === undefined ? before.headersSealed : sealHeaders(secretBox, sourceCode, headers),
          updatedBy: tx.change.actor,
          updatedAt: tx.change.at,
          version: before.version + 1,
        };
        const fault = store(tx, stored, "patch");
        if (fault) return refused(fault);
        return answered(recordOf(secretBox, stored, undefined), { headers: { ETag: entityTag(stored.version) } });
      }),
  );

  function store(tx: UnitOfWork, stored: LabelSource, action: string): Problem | undefined {
    const checked = checkSource(stored);
    const refusal = context.refusalOfSourceUrl(stored.url);
    const faults: readonly RequestFault[] = [
      ...(checked.ok ? [] : checked.fault),
      ...(refusal === undefined ? [] : [{ pointer: "#/url", message: refusal }]),
    ];
    if (faults.length > 0) {
      const detail = faults.map(({ pointer, message }) => `${pointer.slice(2)} ${message}`).join("; ");
      return problem("unprocessable", `${detail}.`, { errors: faults });
    }
    saveSource(tx.plain, stored);
    const { sourceCode: objectId, kind, isActive, version } = stored;
    recordAudit(tx, { action, objectType: "labelSource", objectId, detail: { kind, isActive, version } });
    return undefined;
  }

  service.post(
    "/labelSource/test/:sourceCode",
    {
      schema: {
        operationId: "testLabelSource",
        summary: "Send the test request of a label source",
        description: "It proves address and secrets. Nothing is bought.",
        params: sourcePath,
        body: purchaseAction,
        response: { 200: tested },
      } as const,
      config: { ...answers(404, 409), ...admin, isBodyOptional: true, answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const stored = await findSource(database, request.params.sourceCode);
      if (!stored) return refused(unknownSource);
      const headers = openHeaders(secretBox, stored);
      if (headers === undefined)
        return refused(problem("conflict", "Its headers cannot be decrypted: set them again."));
      const result = await testSource({ source: stored, headers, client: sourceClient });
      return result ?? refused(problem("conflict", "The source has no test request."));
    },
  );

  service.get(
    "/labelPurchase/list",
    {
      schema: {
        operationId: "listLabelPurchases",
        summary: "Purchases of labels, the last changed first",
        querystring: purchaseListQuery,
        response: { 200: purchasePage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const scope = scopeOf(request);
      const { status: statuses, sourceCode } = request.query;
      const isWhole = scope.clientIds === null && scope.facilityCodes === null && !statuses && !sourceCode;
      return readSearchedPage(request.query, {
        cursors: purchaseCursor,
        search: (position, limit) =>
          lookThrough({
            after: position,
            limit,
            placeOf: ({ updatedAt, clientId, purchaseId }): NewestPlace => ({
              at: updatedAt,
              client: clientId,
              id: purchaseId,
            }),
            list: (after, reach, most) =>
              listPurchases(across, { ...scope, statuses, sourceCode, after, reach, limit: most }),
            findReach: isWhole ? undefined : (after, looked) => findReachOfPurchases(across, after, looked),
          }),
        positionOf: (reach) => reach,
      });
    },
  );

  service.post(
    "/labelPurchase/retry/:purchaseId",
    {
      schema: {
        operationId: "retryLabelPurchase",
        summary: "Buy again a label that no source sold, or void again one that its source kept",
        description:
          "The label is bought from the first source on. Where the last source may have sold it in an answer that was lost, that source is asked first.",
        params: purchasePath,
        querystring: purchaseQuery,
        headers: createHeaders,
        body: purchaseAction,
        response: { 204: { type: "null", description: "The purchase is due now." } },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { purchaseId } = request.params;
        const found = isUuidV7(purchaseId) ? await lockPurchase(tx, purchaseId) : undefined;
        if (!found) return refused(problem("not-found", "The client has no purchase of this purchaseId."));
        if (!retryPurchase(tx, found)) {
          return refused(
            problem("conflict", `The purchase is ${found.status}: only a FAILED or VOID_FAILED one is retried.`),
          );
        }
        recordAudit(tx, { action: "retry", objectType: "labelPurchase", objectId: purchaseId });
        return answered(null, { status: 204 });
      }),
  );
}

const unknownSource = problem("not-found", "There is no label source of this code.");

function recordOf(box: SecretBox, stored: LabelSource, health = noHealth): SourceRecord {
  const { headersSealed: _, createdAt: _created, ...shown } = stored;
  return { ...shown, headerNames: Object.keys(openHeaders(box, stored) ?? {}), health };
}
