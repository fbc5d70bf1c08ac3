import {
  credentialPath,
  issuedCredential,
  issueRequest,
  revokedCredential,
} from "#/console-api/clients/client-contract.ts";
import { credentialRecord, maskedCredential } from "#/console-api/clients/client-record.ts";
import {
  carrierCredential,
  carrierRequest,
  portCredentialCursor,
  portCredentialPage,
  portCredentialQuery,
  warehouseCredential,
  warehouseRequest,
} from "#/console-api/clients/facility-contract.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import {
  clientCredentialKinds,
  issueCarrierCredential,
  issueCredential,
  issueWarehouseCredential,
  listPortCredentials,
  notifyChange,
  revokeCredential,
} from "#/modules/clients/index.ts";
import { chooseFacilities } from "#/modules/facilities/index.ts";
import { platformClient } from "#/store/db/audit.ts";

const platformAdmin = { role: "admin", isPlatform: true } as const;
const secretsOnce = "A repeat with the same Idempotency-Key shows `***` instead of secrets.";
const masked = "***";

/** Credentials of clients, warehouses and carriers: issued once, listed without secrets, revoked (operations.md §2). */
export function addCredentialRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, environment } = context;

  service.post(
    "/credential/issue",
    {
      schema: {
        operationId: "issueCredential",
        summary: "Issue an additional credential of a client",
        description: `To rotate: issue a new one, have the client use it, then revoke the old one. ${secretsOnce}`,
        headers: createHeaders,
        body: issueRequest,
        response: { 200: issuedCredential },
      } as const,
      config: { ...answers(409, 422), role: "admin" },
    },
    async (request, reply) => {
      const { clientId, publicKey } = request.body;
      const kind =
        clientCredentialKinds.find((clientCredentialKind) => clientCredentialKind === request.body.kind) ?? "feed";
      return answerWrite(context, request, reply, async (tx) => {
        const issued = await issueCredential(tx.plain, tx.change, { clientId, kind, environment, publicKey });
        if (!issued.ok) {
          if (publicKey === undefined) return refused(problem("conflict", `${issued.fault}.`));
          const errors = [{ pointer: "#/publicKey", message: issued.fault }];
          return refused(problem("unprocessable", `publicKey: ${issued.fault}.`, { errors }));
        }
        await notifyChange(tx.plain);
        return answered(issued.value, { keptBody: maskedCredential(issued.value) });
      });
    },
  );

  service.post(
    "/credential/revoke/:credentialId",
    {
      schema: {
        operationId: "revokeCredential",
        summary: "Revoke a credential; a revoked one does not change",
        description: "Every server refuses it within a minute, and tokens that were issued for it too.",
        params: credentialPath,
        headers: createHeaders,
        response: { 200: revokedCredential },
      } as const,
      config: { ...answers(404, 409), ...platformAdmin, isBodyOptional: true },
    },
    async (request, reply) => {
      const { credentialId } = request.params;
      return answerWrite(context, request, reply, async (tx) => {
        const { clientIds } = operatorOf(request);
        const revoked = await revokeCredential(tx.plain, tx.change, credentialId, clientIds);
        if (!revoked.ok) return refused(problem("not-found", `There is no credential '${credentialId}'.`));
        await notifyChange(tx.plain);
        return answered(revoked.value);
      });
    },
  );

  service.get(
    "/credential/list",
    {
      schema: {
        operationId: "listPortCredentials",
        summary: "Credentials of the warehouse port, of warehouses and carriers, the newest first",
        description: "Active and revoked ones, without secrets. Credentials of a client are shown with the client.",
        querystring: portCredentialQuery,
        response: { 200: portCredentialPage },
      } as const,
      config: { role: "operator", partition: "scope" },
    },
    async (request) => {
      const { facilityCode } = request.query;
      const { facilityCodes } = operatorOf(request);
      const page = await readPage(request.query, {
        cursors: portCredentialCursor,
        read: (after, limit) => listPortCredentials(database, { facilityCode, after: after?.id, limit }),
        placeOf: ({ credentialId }) => ({ id: credentialId }),
        itemOf: (credential) => ({
          ...credentialRecord(credential),
          facilityCode: credential.facilityCode,
          carrierCode: credential.carrierCode,
        }),
      });
      if (!page.ok) return page;
      const isSeen = (code: string | null) => facilityCodes === null || facilityCodes.includes(code ?? platformClient);
      return { ...page.value, items: page.value.items.filter((credential) => isSeen(credential.facilityCode)) };
    },
  );

  service.post(
    "/credential/issueWarehouse",
    {
      schema: {
        operationId: "issueWarehouseCredential",
        summary: "Issue OAuth credentials for a facility's warehouse system",
        description: `Like \`warehouse create\`. ${secretsOnce}`,
        headers: createHeaders,
        body: warehouseRequest,
        response: { 200: warehouseCredential },
      } as const,
      config: { ...answers(404, 409), ...platformAdmin },
    },
    async (request, reply) => {
      const { facilityCode } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const chosen = await chooseFacilities(tx.plain, [facilityCode]);
        if (!chosen.ok) return refused(problem("not-found", `${chosen.fault}.`));
        const issued = await issueWarehouseCredential(tx.plain, tx.change, { facilityCode, environment });
        await notifyChange(tx.plain);
        const keptBody = { facilityCode, oauth: { client_id: issued.oauth.client_id, client_secret: masked } };
        return answered(issued, { keptBody });
      });
    },
  );

  service.post(
    "/credential/issueCarrier",
    {
      schema: {
        operationId: "issueCarrierCredential",
        summary: "Issue OAuth credentials with which a carrier reports its events",
        description: `Like \`carrier-account create\`. ${secretsOnce}`,
        headers: createHeaders,
        body: carrierRequest,
        response: { 200: carrierCredential },
      } as const,
      config: { ...answers(409, 422), ...platformAdmin },
    },
    async (request, reply) => {
      const { carrierCode } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const issued = await issueCarrierCredential(tx.plain, tx.change, { carrierCode, environment });
        if (!issued.ok) {
          const errors = [{ pointer: "#/carrierCode", message: issued.fault }];
          return refused(problem("unprocessable", `${issued.fault}.`, { errors }));
        }
        await notifyChange(tx.plain);
        const keptBody = { carrierCode, oauth: { client_id: issued.value.oauth.client_id, client_secret: masked } };
        return answered(issued.value, { keptBody });
      });
    },
  );
}
