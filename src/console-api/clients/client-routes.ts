import type { FastifyReply, FastifyRequest } from "fastify";
import {
  clientCreate,
  clientCursor,
  clientDetail,
  clientListQuery,
  clientPatch,
  clientPath,
  clientSummaryPage,
  onboarding,
} from "#/console-api/clients/client-contract.ts";
import { maskedOnboarding, readClientDetail, summaryOf } from "#/console-api/clients/client-record.ts";
import { validateSettings } from "#/console-api/clients/setting-record.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { clientsOfScope } from "#/console-api/feeds/document/requested-feed.ts";
import { operatorOf } from "#/http/access/operator.ts";
import type { Operator } from "#/http/access/operator-role.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem, problemOf } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  type ClientRecord,
  changeClient,
  clientSettings,
  listClientPage,
  notifyChange,
  onboardClient,
  operatorSettings,
  readSettings,
  resumeClient,
  showClient,
  suspendClient,
} from "#/modules/clients/index.ts";
import { chooseFacilities } from "#/modules/facilities/index.ts";
import type { Tx, UnitOfWork } from "#/store/db/database.ts";

/** Clients: identity, settings, and status (operations.md §2). */
export function addClientDirectoryRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, environment } = context;

  service.get(
    "/clientDirectory/list",
    {
      schema: {
        operationId: "listClientDirectory",
        summary: "The clients that the user may see, by identifier",
        querystring: clientListQuery,
        response: { 200: clientSummaryPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { text, status } = request.query;
      const operator = operatorOf(request);
      const clientIds = (await clientsOfScope(context, operator)) ?? undefined;
      const filter = { text, clientIds, status: status as ClientRecord["status"] | undefined };
      const page = await readPage(request.query, {
        cursors: clientCursor,
        read: (after, limit) => listClientPage(database, { ...filter, after: after?.id ?? "", limit }),
        placeOf: ({ clientId }) => ({ id: clientId }),
        itemOf: (client) => summaryOf(client, operator.facilityCodes),
      });
      return page;
    },
  );

  service.get(
    "/clientDirectory/get/:clientId",
    {
      schema: {
        operationId: "getClientOfDirectory",
        summary: "One client with every setting and its credentials",
        description: "Without secrets: those are shown once, when they are issued.",
        params: clientPath,
        response: { 200: clientDetail },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const { clientId } = request.params;
      const detail = await readClientDetail(database.of(clientId));
      return detail.ok ? detail.value : refused(problem("not-found", sentence(detail.fault)));
    },
  );

  service.post(
    "/clientDirectory/create",
    {
      schema: {
        operationId: "createClient",
        summary: "Create a client, and answer its credentials once",
        description:
          "Like `client create`: one credential of each kind. Without facilities, the client may use all. A repeat with the same Idempotency-Key shows `***` instead of secrets.",
        headers: createHeaders,
        body: clientCreate,
        response: { 201: onboarding },
      } as const,
      config: { ...answers(409, 422), role: "admin", isPlatform: true },
    },
    async (request, reply) => {
      const { clientId, name = clientId, facilities: named, settings } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const validated = await validate(tx.plain, { named, settings });
        if (!validated.ok) return validated;
        const facilities = validated.value.facilities ?? [];
        const made = await onboardClient(tx.plain, tx.change, { clientId, name, facilities, environment });
        if (!made.ok) return refused(refusalOfNew(made.fault));
        if (settings !== undefined)
          await changeClient(tx.plain.of(clientId, tx.change), { settings: validated.value.settings });
        await notifyChange(tx.plain);
        const location = `${service.prefix}/clientDirectory/get/${encodeURIComponent(clientId)}`;
        const body = made.value;
        return answered(body, { status: 201, headers: { Location: location }, keptBody: maskedOnboarding(body) });
      });
    },
  );

  service.patch(
    "/clientDirectory/patch/:clientId",
    {
      schema: {
        operationId: "patchClient",
        summary: "Change a client's name, facilities or settings",
        description:
          "Takes effect at once in every running server. Accepted orders keep the settings with which they were accepted.",
        params: clientPath,
        headers: createHeaders,
        body: clientPatch,
        response: { 200: clientDetail },
      } as const,
      config: { ...answers(404, 409, 422), role: "admin" },
    },
    async (request, reply) => {
      const { name, facilities: named, settings } = request.body;
      const refusal = refusalOfLimited(operatorOf(request), { named, settings });
      if (refusal) return refused(refusal);
      return change(request, reply, async (tx) => {
        const validated = await validate(tx.plain, { named, settings });
        if (!validated.ok) return validated;
        const changed = await changeClient(tx, { name, ...validated.value });
        if (changed.ok) return ok(undefined);
        return refused(problemOf({ ...changed.fault, detail: sentence(changed.fault.detail) }));
      });
    },
  );

  for (const { path, operationId, summary, description, run } of statusChanges) {
    service.post(
      `/clientDirectory/${path}/:clientId`,
      {
        schema: {
          operationId,
          summary,
          description,
          params: clientPath,
          headers: createHeaders,
          response: { 200: clientDetail },
        } as const,
        config: { ...answers(404, 409), role: "admin", isBodyOptional: true },
      },
      async (request, reply) => {
        return change(request, reply, async (tx) => {
          const changed = await run(tx);
          return changed.ok ? ok(undefined) : refused(problem("not-found", sentence(changed.fault)));
        });
      },
    );
  }

  /** Changes an existing client, and answers the changed record; the commit notifies running servers. */
  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: UnitOfWork) => Promise<Result<undefined, Problem>>,
  ): Promise<FastifyReply> {
    return answerWrite(context, request, reply, async (tx): Promise<WriteResult> => {
      const known = await showClient(tx);
      if (!known.ok) return refused(problem("not-found", sentence(known.fault)));
      const done = await work(tx);
      if (!done.ok) return done;
      await notifyChange(tx.plain);
      const detail = await readClientDetail(tx);
      return detail.ok ? answered(detail.value) : refused(problem("not-found", sentence(detail.fault)));
    });
  }
}

const statusChanges = [
  {
    path: "suspend",
    operationId: "suspendClient",
    summary: "Suspend a client: refuse its feeds, REST calls and log-ins",
    description: "Accepted work and outbound feeds continue.",
    run: suspendClient,
  },
  {
    path: "resume",
    operationId: "resumeClient",
    summary: "Resume a suspended client",
    description: "Its credentials are valid again.",
    run: resumeClient,
  },
] as const;

interface Wanted {
  readonly named: readonly string[] | undefined;
  readonly settings: Readonly<Record<string, string | null>> | undefined;
}

/** An admin who is limited to clients changes what belongs to the brand, and nothing that protects the 3PL or others. */
function refusalOfLimited(
  { clientIds, facilityCodes }: Operator,
  { named, settings = {} }: Wanted,
): Problem | undefined {
  if ((clientIds ?? facilityCodes) === null) return undefined;
  const pointers = [
    ...(named === undefined ? [] : ["#/facilities"]),
    ...Object.keys(settings).flatMap((name) => (operatorSettings.has(name) ? `#/settings/${name}` : [])),
  ];
  if (pointers.length === 0) return undefined;
  const errors = pointers.map((pointer) => ({ pointer, message: "is changed by an admin without limits" }));
  const names = pointers.map((pointer) => pointer.split("/").at(-1)).join(", ");
  const detail = `An admin without limits changes ${names}; the user is limited to clients or facilities.`;
  return problem("role-forbidden", detail, { errors });
}

interface ValidFields {
  readonly facilities: readonly string[] | undefined;
  readonly settings: (ReturnType<typeof readSettings> & { readonly ok: true })["value"] | undefined;
}

/** Validates the requested facilities and settings: all faults, each at its field. */
async function validate(tx: Tx, { named, settings }: Wanted): Promise<Result<ValidFields, Problem>> {
  const chosen = named === undefined ? undefined : await chooseFacilities(tx, named);
  const { assignments, faults: settingFaults } = validateSettings(clientSettings, settings ?? {});
  const faults: RequestFault[] = [...settingFaults];
  if (chosen?.ok === false) faults.push({ pointer: "#/facilities", message: chosen.fault });
  const read = readSettings(faults.length === 0 ? assignments : []);
  if (chosen?.ok === false || !read.ok || faults.length > 0) return refused(unprocessable(faults));
  return ok({ facilities: chosen?.value, settings: settings && read.value });
}

function unprocessable(faults: readonly RequestFault[]): Problem {
  const detail = faults.map(({ pointer, message }) => `${pointer.slice(2).replace("settings/", "")}: ${message}`);
  return problem("unprocessable", `${detail.join("; ")}.`, { errors: faults });
}

/** The identifier is taken, or invalid. */
function refusalOfNew(fault: string): Problem {
  const errors = [{ pointer: fault.includes("name") ? "#/name" : "#/clientId", message: fault }];
  return problem(/ exists already/.test(fault) ? "conflict" : "unprocessable", sentence(fault), { errors });
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
