// The permissions of a user who is limited to facilities: an operation is closed to that user unless its route declares
// its partition by facility (docs/decisions/0023-console-access.md).
import type { FastifyRequest } from "fastify";
import { findFacilityOf } from "#/console-api/access/facility-repository.ts";
import { namedIn, placeFor } from "#/console-api/access/request-names.ts";
import { facilityObjects, type OperatorRoute, operatorOf } from "#/http/access/operator.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import type { Tx } from "#/store/db/database.ts";

const facilityNames = ["distributionCentre", "facilityCode"] as const;

const partitionOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config as OperatorRoute).partition;

/** The 403 of an operation that is closed to the user, whatever the request says. */
export function refusalOfOperation(request: FastifyRequest): Problem | undefined {
  const isLimited = operatorOf(request).facilityCodes !== null;
  return isLimited && partitionOf(request) === undefined ? notPartitioned : undefined;
}

/** The 403 of a request that names a facility outside the user's limits. */
export function refusalOfFacility(request: FastifyRequest): Problem | undefined {
  const { facilityCodes } = operatorOf(request);
  if (facilityCodes === null) return undefined;
  const foreign = namedIn(request, ...facilityNames).find(({ text }) => !facilityCodes.includes(text));
  if (foreign) return forbidden(`Facility ${foreign.text} is not open to the user.`);
  return partitionOf(request) === "named" ? refusalOfPlace(request, facilityCodes) : undefined;
}

/** For an operation that must name a facility: where the user has only one, the query is completed with it. */
function refusalOfPlace(request: FastifyRequest, facilityCodes: readonly string[]): Problem | undefined {
  const place = placeFor(request, ...facilityNames);
  if (!place) return notPartitioned;
  // Already checked above, unless it is not a text: then it names no facility.
  if (namedIn(request, place.name).some(({ part }) => part === place.part)) return undefined;
  const [only] = facilityCodes;
  if (place.part !== "query" || facilityCodes.length !== 1) {
    return forbidden(`The user is limited to ${facilityCodes.join(", ")}: ${place.name} must name one of them.`);
  }
  (request.query as Record<string, unknown>)[place.name] = only;
  return undefined;
}

/** The 404 of an object at a facility outside the user's limits. */
export async function refusalOfObject(tx: Tx, request: FastifyRequest): Promise<Problem | undefined> {
  const { facilityCodes } = operatorOf(request);
  const partition = partitionOf(request);
  if (facilityCodes === null || partition === undefined) return undefined;
  if (partition === "none" || partition === "scope" || partition === "named") return undefined;
  const { clientId } = exchangeOf(request);
  const { [facilityObjects[partition]]: id } = request.params as Readonly<Record<string, string>>;
  const facility =
    clientId === undefined || id === undefined ? undefined : await findFacilityOf(tx.of(clientId), partition, id);
  if (facility !== undefined && facilityCodes.includes(facility)) return undefined;
  return problem("not-found", "There is no such object, or it is not open to the user.");
}

const forbidden = (detail: string) => problem("scope-forbidden", detail);

const notPartitioned = forbidden(
  "The user is limited to facilities, and this operation concerns all of them. Ask an admin without limits.",
);
