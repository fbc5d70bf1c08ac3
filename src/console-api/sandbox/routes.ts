import { setTimeout as sleep } from "node:timers/promises";
import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import {
  type FaultRates,
  faultNames,
  type SandboxPatch,
  type SandboxRecord,
  type SandboxStepped,
  sandbox,
  sandboxPatch,
  sandboxStep,
  sandboxStepped,
} from "#/console-api/sandbox/contract.ts";
import * as repository from "#/console-api/sandbox/repository.ts";
import {
  findOrderPlace,
  listLastCodes,
  type Setting,
  type SimulatedFacility,
} from "#/console-api/sandbox/repository.ts";
import { operatorOf, type Scope, scopeOf, scopeParameters } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { closed } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { pollUntil } from "#/kernel/concurrency/polling.ts";
import { refused } from "#/kernel/result.ts";
import { listReservations } from "#/modules/inventory/index.ts";
import { listParcels, listParcelsById } from "#/modules/parcels/index.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, Tx, UnitOfWork } from "#/store/db/database.ts";

/** Longer than any silence of a running simulated warehouse. */
const aliveMs = 15_000;
const answerMsMax = 8_000;
const lookMs = 60;
/** More than the steps from the release of an order to its delivery. */
const stepsMax = 24;
/** A newly released task has been read by then. */
const newsMs = 1_200;
const stepsMsMax = (stepsMax + 1) * answerMsMax;

const isOff = problem(
  "conflict",
  "No simulated warehouse is running: it is switched off here, or this is production, which has none.",
);
const unlimitedOnly = problem(
  "scope-forbidden",
  "The user is limited to clients or facilities, and this applies to all of them; name clientId and objectId.",
);

const notOpen = problem("not-found", "There is no such object, or it is not open to the user.");

/**
 * The simulated warehouse under the operators' control (contract warehouse.md): its pace, its faults, and single steps.
 */
export function addSandboxRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, clock, ids } = context;
  const iso = (ms: number) => new Date(ms).toISOString();
  const listAlive = (tx: Tx) => repository.listFacilities(tx, iso(clock.now() - aliveMs));
  const query = Type.Object(scopeParameters, closed);
  const outcomeOf = (stepId: string) =>
    pollUntil(() => repository.findOutcome(database, stepId), { everyMs: lookMs, msMax: answerMsMax });

  /** The simulated warehouse reads the settings before a step, which has no object here. */
  async function settingsRead({ actor: by }: Change): Promise<void> {
    const stepIds: string[] = [];
    for (const { facilityCode } of await listAlive(database)) {
      const stepId = ids.next(clock.now());
      const step = { clientId: undefined, objectId: "the settings", known: undefined };
      await repository.insertStep(database, { ...step, stepId, facilityCode, by, at: iso(clock.now()) });
      stepIds.push(stepId);
    }
    await Promise.all(stepIds.map(outcomeOf));
  }

  service.get(
    "/sandbox/get",
    {
      schema: {
        operationId: "getSandbox",
        summary: "The simulated warehouse: its settings and its activity",
        querystring: query,
        response: { 200: sandbox },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const [setting, facilities] = await Promise.all([repository.findSetting(database), listAlive(database)]);
      return sandboxRecord(setting, facilities, scopeOf(request));
    },
  );

  service.patch(
    "/sandbox/patch",
    {
      schema: {
        operationId: "changeSandbox",
        summary: "Change the pace and the fault rates of the simulated warehouse",
        description:
          "The answer comes when it is in force in each facility, in any process; it stays in force until it is changed.",
        headers: createHeaders,
        body: sandboxPatch,
        response: { 200: sandbox },
      } as const,
      config: { ...answers(409), role: "operator", isPlatform: true, answerMsMax: 2 * answerMsMax },
    },
    async (request, reply) => {
      if (operatorOf(request).clientIds !== null) return refused(unlimitedOnly);
      const patch = request.body;
      const write = async (tx: UnitOfWork) => {
        const facilities = await listAlive(tx.plain);
        if (facilities.length === 0) return refused(isOff);
        const before = await repository.lockSetting(tx.plain, tx.change.at, tx.change.actor);
        const after = { ...patched(before, patch), changedAt: tx.change.at, changedBy: tx.change.actor };
        await repository.putSetting(tx.plain, after);
        const action = { action: "change", objectType: "sandbox", objectId: "warehouse-sim", detail: { ...patch } };
        recordAudit(tx, action);
        const all = { clientIds: null, facilityCodes: null };
        return answered(sandboxRecord(after, facilities, all));
      };
      return answerWrite(context, request, reply, write, () => settingsRead(changeOf(context, request)));
    },
  );

  service.post(
    "/sandbox/step",
    {
      schema: {
        operationId: "stepSandbox",
        summary: "Perform the next step of the simulated warehouse now",
        description:
          "One step of an order with its parcels, of a purchase order, return or work order, or of the next object of a facility; or all steps up to the named one. Each is a report to the warehouse port, like all its reports.",
        body: sandboxStep,
        response: { 200: sandboxStepped },
      } as const,
      config: { ...answers(404, 409), role: "operator", isPlatform: true, partition: "scope", answerMsMax: stepsMsMax },
    },
    async (request) => {
      const { clientId, objectId, facilityCode, until } = request.body;
      const operator = operatorOf(request);
      const isLimited = (operator.clientIds ?? operator.facilityCodes) !== null;
      if (isLimited && (clientId === undefined || objectId === undefined)) return refused(unlimitedOnly);
      if (operator.facilityCodes !== null && clientId !== undefined && objectId !== undefined) {
        const at = await repository.listFacilitiesOf(database.of(clientId), objectId);
        const isOpen = at.length > 0 && at.every((code) => operator.facilityCodes?.includes(code));
        if (!isOpen) return refused(notOpen);
      }
      const alive = await listAlive(database);
      if (alive.length === 0) return refused(isOff);
      if (facilityCode !== undefined && !alive.some((facility) => facility.facilityCode === facilityCode)) {
        return refused(problem("not-found", `The simulated warehouse does not run facility ${facilityCode}.`));
      }
      const change = changeOf(context, request);
      const known = () =>
        clientId === undefined || objectId === undefined
          ? Promise.resolve(undefined)
          : readKnownOrder(database.of(clientId), objectId);
      const ask = async () => {
        const stepId = ids.next(clock.now());
        const at = iso(clock.now());
        await repository.insertStep(database, {
          stepId,
          clientId,
          facilityCode,
          objectId,
          at,
          by: change.actor,
          known: await known(),
        });
        return outcomeOf(stepId);
      };
      const done: string[] = [];
      let ended: Omit<SandboxStepped, "done"> = { reason: null, text: null };
      for (let steps = 0; steps < stepsMax; steps++) {
        let outcome = await ask();
        if (outcome?.done.length === 0 && outcome.reason === undefined && steps === 0) {
          await sleep(newsMs);
          outcome = await ask();
        }
        done.push(...(outcome?.done ?? []));
        if (outcome === undefined) ended = { reason: "NO_ANSWER", text: null };
        else if (outcome.done.length === 0)
          ended = { reason: outcome.reason ?? "NOTHING_TO_DO", text: outcome.text ?? null };
        if (ended.reason !== null || until === undefined || outcome?.done.includes(until)) break;
      }
      await database.transaction(async (tx) => {
        recordAudit(tx.of(clientId ?? platformClient, change), {
          action: "step",
          objectType: "sandbox",
          objectId: objectId ?? facilityCode ?? "warehouse-sim",
          detail: { done },
        });
      });
      return { done, ...ended };
    },
  );
}

const patched = (before: repository.Setting, { faults, ...patch }: SandboxPatch): repository.Setting => ({
  ...before,
  ...patch,
  faults: faults === undefined ? before.faults : { ...before.faults, ...faults },
});

const nothingGoesWrong = Object.fromEntries(faultNames.map((name) => [name, 0])) as FaultRates;

/**
 * The stored setting, or else the configuration of the simulated warehouse; of its activity, the part that the user may
 * see.
 */
function sandboxRecord(
  setting: Setting | undefined,
  facilities: readonly SimulatedFacility[],
  { clientIds, facilityCodes }: Scope,
): SandboxRecord {
  const configured = facilities[0]?.state.configured;
  const byHand = setting?.byHand ?? [];
  const silent = setting?.silent ?? [];
  const isSeen = ({ clientId }: { readonly clientId: string }) => clientIds === null || clientIds.includes(clientId);
  const isSeenFacility = (code: string) => facilityCodes === null || facilityCodes.includes(code);
  return {
    isOn: facilities.length > 0,
    speed: setting?.speed ?? configured?.speed ?? 1,
    faults: { ...nothingGoesWrong, ...configured?.faults, ...setting?.faults },
    byHand: byHand.filter((clientId) => isSeen({ clientId })),
    silent: silent.filter(isSeenFacility),
    changedAt: setting?.changedAt ?? null,
    changedBy: setting?.changedBy ?? null,
    facilities: facilities
      .filter(({ facilityCode }) => isSeenFacility(facilityCode))
      .map(({ facilityCode, seenAt, state }) => ({
        facilityCode,
        isSilent: silent.includes(facilityCode),
        seenAt,
        inHand: state.inHand,
        jobs: state.jobs.filter(isSeen).map((job) => ({
          ...job,
          orderId: job.orderId ?? null,
          isByHand: byHand.includes(job.clientId),
        })),
        reports: state.reports.filter(isSeen).map((report) => ({ ...report, reason: report.reason ?? null })),
      })),
  };
}

/** Final states of a parcel. */
const ends: readonly string[] = ["DELIVERED", "LOST", "RETURNED_TO_SENDER"];

/**
 * An order as stored, for a simulated warehouse that has not followed it from its release: the picked but unpacked
 * goods, and the location of its parcels.
 *
 * @param objectId an order, or one of its parcels.
 * @returns undefined where it is neither.
 */
export async function readKnownOrder(tx: ClientTx, objectId: string): Promise<object | undefined> {
  const [parcel] = await listParcelsById(tx, [objectId]);
  const orderId = parcel?.orderId ?? objectId;
  const place = await findOrderPlace(tx, orderId);
  if (!place) return undefined;
  const facilityCode = parcel?.facilityCode ?? place.distribution_centre;
  const isHere = (part: { readonly facilityCode: string }) => part.facilityCode === facilityCode;
  const [reserved, parcels, lastCodes] = await Promise.all([
    listReservations(tx, "ORDER", [orderId]),
    listParcels(tx, [orderId]),
    listLastCodes(tx, orderId),
  ]);
  return {
    clientId: tx.clientId,
    orderId,
    facilityCode,
    isHeld: place.is_held,
    picked: reserved
      .filter((reservation) => isHere(reservation) && reservation.picked > 0)
      .map(({ lineNumber, sku, picked, batchRef }) => ({
        lineNumber,
        sku,
        qty: picked / 1000,
        ...(batchRef === "" ? {} : { batchRef }),
      })),
    parcels: parcels
      .filter((other) => isHere(other) && other.status !== "VOIDED")
      .map(({ olpnId, status, contents }) => ({
        olpnId,
        lineNumbers: [...new Set(contents.map(({ lineNumber }) => lineNumber))],
        isLoaded: status === "LOADED",
        hasLeft: status !== "PACKED" && status !== "LOADED",
        hasEnded: ends.includes(status),
        lastCode: lastCodes.get(olpnId) ?? 0,
      })),
  };
}
