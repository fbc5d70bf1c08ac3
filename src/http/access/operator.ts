import type { FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { Operator, OperatorRole, PendingStep } from "#/http/access/operator-role.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { assert } from "#/kernel/assert.ts";

/** Where the operations of the console are. */
export const operatorPrefix = "/v1/operatorService";

/** The cookie of a session by plain http (contract operations.md §5). */
export const sessionCookie = "crossdock_session";
/** By https: browsers take the name from this host alone, over https alone, so that no neighbour can set it (RFC 6265bis §4.1.3.2). */
export const secureSessionCookie = `__Host-${sessionCookie}`;

/** What a request of the console is about: its filters, within what its user may see; null: all. */
export interface Scope {
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
}

/** Filters of every list over several clients, kept between screens. */
export const scopeParameters = {
  clientId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "Only what is this client's.", examples: ["ACME"] }),
  ),
  distributionCentre: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "Only what is at this facility.", examples: ["DC1"] }),
  ),
};

const scopeQuery = Type.Object(scopeParameters);

/** What the facility of an object is looked up for, by the parameter of the path that names it. */
export const facilityObjects = {
  order: "orderId",
  return: "rmaNumber",
  workOrder: "workOrderId",
  parcel: "olpnId",
  orderDocument: "documentId",
  carrierDecision: "decisionId",
  outboundDocument: "documentId",
} as const;
export type FacilityObject = keyof typeof facilityObjects;

/**
 * How an operation is partitioned by facility. `none`: by nothing, it is about the user, the platform or reference data.
 * `scope`: the operation itself keeps to the user's facilities. `named`: it names a facility in its path, query or body, which
 * the hooks judge. An object: it names one in its path, whose facility the hooks look up.
 */
export type FacilityPartition = "none" | "scope" | "named" | FacilityObject;

/** The `config` of a route of the console: who may use it, and what it is about. */
export interface OperatorRoute {
  /** The least role that may; without it `viewer` for GET and `operator` for what changes something. */
  readonly role?: OperatorRole;
  /**
   * About the platform and not about one client: a write that needs no `clientId`. One that takes an admin takes an admin
   * without limits, because what it changes is everybody's.
   */
  readonly isPlatform?: boolean;
  /** Nobody need have signed in. */
  readonly isOpen?: boolean;
  /** Without it the operation is closed to users who are limited to facilities. */
  readonly partition?: FacilityPartition;
  /** What may still be missing of the sign-in; without it the operation is closed until the sign-in is complete. */
  readonly steps?: readonly PendingStep[];
  /** Whether the user must have proved lately who it is. */
  readonly takesProof?: boolean;
  /** A client's operation, mounted for the users of the console. */
  readonly isOfClient?: boolean;
}

export function leastRoleOf(config: OperatorRoute | undefined, method: string): OperatorRole {
  return config?.role ?? (method === "GET" || method === "HEAD" ? "viewer" : "operator");
}

/** The user of a request that the hooks of the console let through. */
export function operatorOf(request: FastifyRequest): Operator {
  const { operator } = exchangeOf(request);
  assert(operator, "the route is not behind the hooks of the console");
  return operator;
}

/** The hooks have refused what lies outside of the user's limits, so a filter that is there replaces them. */
export function scopeOf(request: FastifyRequest): Scope {
  const { clientIds, facilityCodes } = operatorOf(request);
  const { clientId, distributionCentre } = request.query as Static<typeof scopeQuery>;
  return {
    clientIds: clientId === undefined ? clientIds : [clientId],
    facilityCodes: distributionCentre === undefined ? facilityCodes : [distributionCentre],
  };
}
