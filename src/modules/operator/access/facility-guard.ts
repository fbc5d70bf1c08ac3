// What a user who is limited to facilities may see of a client's own operations (docs/decisions/0023-console-access.md).
import type { FastifyRequest } from "fastify";
import type { Tx } from "#/db/database.ts";
import { exchangeOf } from "#/http/exchange.ts";
import { type OperatorRoute, operatorOf, operatorPrefix } from "#/http/operator.ts";
import { type Problem, problem } from "#/http/problem.ts";
import { findFacilityOf, namesObject } from "#/modules/operator/access/facility-repository.ts";
import { namedIn, placeFor } from "#/modules/operator/access/request-names.ts";

const facilityNames = ["distributionCentre", "facilityCode"] as const;

/** What is the client's, whatever the facility: items, and what carriers and topics there are. */
const partedByNothing = [
  "/findItemBySku",
  "/findItemBySkuList",
  "/item/list",
  "/carrierServiceCode/list",
  "/webhook/topics",
];

/** What is a client's and no facility's: documents that came in, what was done, and what is told to whom, of all facilities alike. */
const partedByClientOnly = ["/feed/", "/audit/", "/client/webhook/", "/client/event/"];

const mount = `${operatorPrefix}/client`;

/**
 * The 403 of a request that names another facility than the user's. A client's operation is closed to a user with limits
 * unless it names a facility or an object that is at one: what is not listed here shows all of them.
 */
export function refusalOfFacility(request: FastifyRequest): Problem | undefined {
  const { facilityCodes } = operatorOf(request);
  if (facilityCodes === null) return undefined;
  const named = namedIn(request, ...facilityNames);
  const foreign = named.find(({ text }) => !facilityCodes.includes(text));
  if (foreign) return forbidden(`Facility ${foreign.text} is not open to the user.`);
  const url = request.routeOptions.url ?? "";
  const { isOfClient } = request.routeOptions.config as OperatorRoute;
  const path = url.slice(mount.length);
  if (isOfClient && partedByNothing.includes(path)) return undefined;
  if (partedByClientOnly.some((start) => url.startsWith(operatorPrefix + start))) return notParted;
  if (!isOfClient || named.length > 0 || objectOf(request)) return undefined;
  const place = placeFor(request, ...facilityNames);
  if (!place) return notParted;
  const [only] = facilityCodes;
  if (place.part === "body" || facilityCodes.length !== 1) {
    return forbidden(`The user is limited to ${facilityCodes.join(", ")}: ${place.name} has to name one of them.`);
  }
  (request.query as Record<string, unknown>)[place.name] = only;
  return undefined;
}

/** The 404 of an object that is at another facility than the user's. */
export async function refusalOfObject(tx: Tx, request: FastifyRequest): Promise<Problem | undefined> {
  const { facilityCodes } = operatorOf(request);
  const { clientId } = exchangeOf(request);
  const object = facilityCodes && objectOf(request);
  if (!object || !clientId) return undefined;
  const facility = await findFacilityOf(tx, clientId, object.parameter, object.id);
  if (facility !== undefined && facilityCodes.includes(facility)) return undefined;
  return problem("not-found", "There is no such object, or it is not open to the user.");
}

function objectOf({ params }: FastifyRequest): { readonly parameter: string; readonly id: string } | undefined {
  const found = Object.entries((params ?? {}) as Record<string, unknown>).find(([name]) => namesObject(name));
  return found && { parameter: found[0], id: String(found[1]) };
}

const forbidden = (detail: string) => problem("scope-forbidden", detail);

const notParted = forbidden("The user is limited to facilities, and this is not parted by them.");
