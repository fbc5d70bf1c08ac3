import {
  type FacilityDetail,
  type FacilitySummary,
  facilityCreate,
  facilityCursor,
  facilityDetail,
  facilityListQuery,
  facilityPatch,
  facilityPath,
  facilitySummaryPage,
} from "#/console-api/clients/facility-contract.ts";
import { settingRecord, validateSettings } from "#/console-api/clients/setting-record.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, changeHeaders, createHeaders } from "#/http/requests/idempotency.ts";
import { entityTag, refusalOfVersion } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { notifyChange } from "#/modules/clients/index.ts";
import {
  changeFacility,
  createFacility,
  type Facility,
  facilitySettingNames,
  facilitySettings,
  facilitySettingText,
  facilitySettingWords,
  isFacilitySettingSet,
  listFacilityPage,
  readFacilitySettings,
  showFacility,
  validateFacility,
} from "#/modules/facilities/index.ts";

const platformAdmin = { role: "admin", isPlatform: true } as const;

/** Facilities: their working hours, and their capabilities (operations.md §2). */
export function addFacilityDirectoryRoutes(service: HttpServer, context: OperatorContext): void {
  const { database } = context;

  service.get(
    "/facilityDirectory/list",
    {
      schema: {
        operationId: "listFacilityDirectory",
        summary: "The facilities that the user may see, by code",
        querystring: facilityListQuery,
        response: { 200: facilitySummaryPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => {
      const codes = operatorOf(request).facilityCodes ?? undefined;
      return readPage(request.query, {
        cursors: facilityCursor,
        read: (after, limit) => listFacilityPage(database, { codes, after: after?.code ?? "", limit }),
        placeOf: ({ facilityCode }) => ({ code: facilityCode }),
        itemOf: summaryOf,
      });
    },
  );

  service.get(
    "/facilityDirectory/get/:facilityCode",
    {
      schema: {
        operationId: "getFacilityOfDirectory",
        summary: "One facility with every setting",
        params: facilityPath,
        response: { 200: facilityDetail },
      } as const,
      config: { ...answers(404), partition: "named" },
    },
    async (request, reply) => {
      const { facilityCode } = request.params;
      const shown = await showFacility(database, facilityCode);
      if (!shown.ok) return refused(notFound(shown.fault));
      return reply.header("ETag", entityTag(shown.value.version)).send(detailOf(shown.value));
    },
  );

  service.post(
    "/facilityDirectory/create",
    {
      schema: {
        operationId: "createFacility",
        summary: "Make a facility",
        description: "No client can use it until it is in the client's list of facilities.",
        headers: createHeaders,
        body: facilityCreate,
        response: { 201: facilityDetail },
      } as const,
      config: { ...answers(409, 422), ...platformAdmin },
    },
    async (request, reply) => {
      const { settings = {}, ...fields } = request.body;
      const validated = validateFacility(fields);
      const { assignments, faults } = validateSettings(facilitySettings, settings);
      const wrong = validated.ok
        ? []
        : validated.fault.map(({ field, message }) => ({ pointer: `#/${field}`, message }));
      if (wrong.length + faults.length > 0) return refused(unprocessable([...wrong, ...faults]));
      return answerWrite(context, request, reply, async (tx) => {
        const made = await createFacility(tx.plain, tx.change, fields);
        if (!made.ok) {
          const errors = [{ pointer: "#/facilityCode", message: made.fault }];
          return refused(problem("conflict", `${made.fault}.`, { errors }));
        }
        const read = readFacilitySettings(assignments);
        const set =
          read.ok && assignments.length > 0
            ? await changeFacility(tx.plain, tx.change, fields.facilityCode, { settings: read.value })
            : made;
        if (!set.ok) return refused(unprocessable([{ pointer: "#/settings/zip", message: set.fault }]));
        await notifyChange(tx.plain);
        const location = `${service.prefix}/facilityDirectory/get/${encodeURIComponent(fields.facilityCode)}`;
        const headers = { ETag: entityTag(set.value.version), Location: location };
        return answered(detailOf(set.value), { status: 201, headers });
      });
    },
  );

  service.patch(
    "/facilityDirectory/patch/:facilityCode",
    {
      schema: {
        operationId: "patchFacility",
        summary: "Change a facility's name or settings: address, cut-off, operating days, holidays",
        description: "Accepted orders keep their despatchBy.",
        params: facilityPath,
        headers: changeHeaders,
        body: facilityPatch,
        response: { 200: facilityDetail },
      } as const,
      config: { ...answers(404, 409, 412, 422), ...platformAdmin },
    },
    async (request, reply) => {
      const { facilityCode } = request.params;
      const { name, settings = {} } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const known = await showFacility(tx.plain, facilityCode);
        if (!known.ok) return refused(notFound(known.fault));
        const stale = refusalOfVersion(request.headers["if-match"], known.value.version);
        if (stale) return refused(stale);
        const { assignments, faults } = validateSettings(facilitySettings, settings);
        const read = readFacilitySettings(faults.length === 0 ? assignments : []);
        if (faults.length > 0 || !read.ok) return refused(unprocessable(faults));
        const changes = { name, settings: assignments.length === 0 ? undefined : read.value };
        const changed = await changeFacility(tx.plain, tx.change, facilityCode, changes);
        if (!changed.ok) {
          const pointer = changed.fault.startsWith("zip=") ? "#/settings/zip" : "#/name";
          return refused(unprocessable([{ pointer, message: changed.fault }]));
        }
        await notifyChange(tx.plain);
        return answered(detailOf(changed.value), { headers: { ETag: entityTag(changed.value.version) } });
      });
    },
  );
}

const notFound = (fault: string) => problem("not-found", `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`);

function unprocessable(faults: readonly RequestFault[]): Problem {
  const detail = faults.map(({ pointer, message }) => `${pointer.slice(2).replace("settings/", "")}: ${message}`);
  return problem("unprocessable", `${detail.join("; ")}.`, { errors: faults });
}

function summaryOf(facility: Facility): FacilitySummary {
  const { facilityCode, name, country, timezone, settings, createdAt, version } = facility;
  const { cutOffTime, status } = settings;
  return { facilityCode, name, country, timezone, cutOffTime, status, createdAt, version };
}

function detailOf(facility: Facility): FacilityDetail {
  const { settings } = facility;
  return {
    ...summaryOf(facility),
    settings: facilitySettingNames.map((name) =>
      settingRecord(
        {
          name,
          value: facilitySettingText(settings, name),
          isSet: isFacilitySettingSet(settings, name),
          isPlatform: true,
        },
        facilitySettings[name],
        facilitySettingWords[name],
      ),
    ),
  };
}
