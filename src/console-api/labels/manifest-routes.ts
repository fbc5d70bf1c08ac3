import type { OperatorContext } from "#/console-api/context.ts";
import {
  type ManifestDetail,
  manifestBytes,
  manifestCreate,
  manifestCursor,
  manifestDetail,
  manifestListQuery,
  manifestPage,
  manifestPath,
  manifestReadQuery,
  manifestsBegun,
  purchaseAction,
  purchaseQuery,
} from "#/console-api/labels/contract.ts";
import { findManifest, readDocument } from "#/console-api/labels/manifest.ts";
import { findReachOfManifests, listManifests } from "#/console-api/labels/manifests.cross-client.ts";
import type { NewestPlace } from "#/console-api/newest-first.cross-client.ts";
import { beginManifests } from "#/delivery/labels/index.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { writeCsvLine } from "#/kernel/values/csv-lines.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { showClient } from "#/modules/clients/index.ts";
import { findFacilityOpenTo } from "#/modules/facilities/index.ts";
import { findSource, lockManifest, movePickup, ownSource, retryManifest } from "#/modules/labels/index.ts";
import { recordAudit } from "#/store/db/audit.ts";

const unknown = problem("not-found", "The client has no manifest of this manifestId.");

/** Manifests of label sources (contract carriers.md, Manifests). */
export function addManifestRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across } = context;

  service.get(
    "/labelManifest/list",
    {
      schema: {
        operationId: "listLabelManifests",
        summary: "Manifests, the last changed first",
        querystring: manifestListQuery,
        response: { 200: manifestPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const scope = scopeOf(request);
      const { status: statuses, sourceCode } = request.query;
      const isWhole = scope.clientIds === null && scope.facilityCodes === null && !statuses && !sourceCode;
      return readSearchedPage(request.query, {
        cursors: manifestCursor,
        search: (position, limit) =>
          lookThrough({
            after: position,
            limit,
            placeOf: ({ updatedAt: at, clientId: client, manifestId: id }): NewestPlace => ({ at, client, id }),
            list: (after, reach, most) =>
              listManifests(across, { ...scope, statuses, sourceCode, after, reach, limit: most }),
            findReach: isWhole ? undefined : (after, looked) => findReachOfManifests(across, after, looked),
          }),
        positionOf: (reach) => reach,
      });
    },
  );

  service.get(
    "/labelManifest/get/:manifestId",
    {
      schema: {
        operationId: "getLabelManifest",
        summary: "A manifest, with its parcels and those that are left out",
        params: manifestPath,
        querystring: manifestReadQuery,
        response: { 200: manifestDetail },
      } as const,
      config: { ...answers(404), partition: "labelManifest" },
    },
    async (request) =>
      (await findManifest(database.of(clientIdOf(request)), request.params.manifestId)) ?? refused(unknown),
  );

  service.get(
    "/labelManifest/document/:manifestId",
    {
      schema: {
        operationId: "getLabelManifestDocument",
        summary: "The document of a manifest",
        description: "As the carrier made it. Where it made none, the platform lists the parcels as CSV.",
        params: manifestPath,
        querystring: manifestReadQuery,
        response: { 200: manifestBytes },
      } as const,
      config: { ...answers(404, 409), partition: "labelManifest" },
    },
    async (request, reply) => {
      const view = database.of(clientIdOf(request));
      const { manifestId } = request.params;
      const manifest = await findManifest(view, manifestId);
      if (!manifest) return refused(unknown);
      const { facilityCode, carrierCode, status, contentType } = manifest;
      if (status === "PENDING" || status === "FAILED") {
        return refused(problem("conflict", `The manifest is ${status}: it has no document yet.`));
      }
      const sent = (ending: string, type: string, bytes: Buffer) =>
        reply
          .header("Content-Disposition", `attachment; filename="manifest-${facilityCode}-${carrierCode}.${ending}"`)
          .type(type)
          .send(bytes);
      if (contentType === null) return sent("csv", "text/csv", Buffer.from(listOf(manifest)));
      return sent(contentType.split("/")[1] as string, contentType, await readDocument(view, manifestId));
    },
  );

  service.post(
    "/labelManifest/create",
    {
      schema: {
        operationId: "createLabelManifests",
        summary: "Make the manifests of a label source at a facility now",
        description:
          "Of what has left since the last manifest. One for each carrier. OWN lists the parcels of the last 24 hours with the platform's labels.",
        querystring: purchaseQuery,
        headers: createHeaders,
        body: manifestCreate,
        response: { 200: manifestsBegun },
      } as const,
      config: { ...answers(404), partition: "named" },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { distributionCentre, sourceCode } = request.body;
        const facility = await findFacilityOpenTo(tx, distributionCentre);
        if (!facility) return refused(problem("not-found", "The client has no facility of this code."));
        const source = sourceCode === ownSource ? undefined : await findSource(tx.plain, sourceCode);
        if (!source && sourceCode !== ownSource) return refused(problem("not-found", "There is no such label source."));
        const client = await showClient(tx);
        if (!client.ok) return refused(problem("not-found", client.fault));
        const manifestIds = await beginManifests(tx, source, { facility, client: client.value, cutOffAt: null });
        for (const objectId of manifestIds) {
          recordAudit(tx, { action: "create", objectType: "labelManifest", objectId, detail: { sourceCode } });
        }
        return answered({ manifestIds });
      }),
  );

  service.post(
    "/labelManifest/retry/:manifestId",
    {
      schema: {
        operationId: "retryLabelManifest",
        summary: "Ask the source again for a manifest that it refused",
        description:
          "Parcels whose labels were given back meanwhile are left out. Of a manifest that was made, a collection that failed is booked again.",
        params: manifestPath,
        querystring: purchaseQuery,
        headers: createHeaders,
        body: purchaseAction,
        response: { 204: { type: "null", description: "The manifest is due now." } },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, partition: "labelManifest" },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { manifestId } = request.params;
        const found = isUuidV7(manifestId) ? await lockManifest(tx, manifestId) : undefined;
        if (!found) return refused(unknown);
        const { at } = tx.change;
        if (found.pickupState === "FAILED") {
          movePickup(tx, at, manifestId, { state: "PENDING", tries: 0, dueAt: at, error: null });
        } else if (found.status === "FAILED") retryManifest(tx, at, manifestId);
        else return refused(problem("conflict", `The manifest is ${found.status}: only a FAILED one is retried.`));
        recordAudit(tx, { action: "retry", objectType: "labelManifest", objectId: manifestId });
        return answered(null, { status: 204 });
      }),
  );
}

const listOf = ({ parcels }: ManifestDetail): string =>
  [
    ["Tracking number", "Parcel", "Order"],
    ...parcels.map(({ trackingNumber, olpnId, orderId }) => [trackingNumber ?? "", olpnId, orderId]),
  ]
    .map(writeCsvLine)
    .join("");
