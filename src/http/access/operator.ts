import type { FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { Operator, OperatorRole, PendingStep } from "#/http/access/operator-role.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { assert } from "#/kernel/assert.ts";

/** Path prefix of the console's operations. */
export const operatorPrefix = "/v1/operatorService";

/** The session cookie over plain HTTP (contract operations.md §5). */
export const sessionCookie = "crossdock_session";
/**
 * The session cookie over HTTPS: browsers accept the name from this host only, over HTTPS only, so that no other host
 * of the domain can set it (RFC 6265bis §4.1.3.2).
 */
export const secureSessionCookie = `__Host-${sessionCookie}`;

/** The scope of a console request: its filters, within what its user may see; null: all. */
export interface Scope {
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
}

/** Filters of every list over several clients, kept between screens. */
export const scopeParameters = {
  clientId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "Only objects of this client.", examples: ["ACME"] }),
  ),
  distributionCentre: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, description: "A facility.", examples: ["DC1"] }), {
      minItems: 1,
      maxItems: 500,
      description: "Only objects at one of these facilities; repeat the parameter for several.",
      examples: [["DC1"]],
    }),
  ),
};

const scopeQuery = Type.Object(scopeParameters);

/** Object types whose facility the hooks look up, with the path parameter that names the object. */
export const facilityObjects = {
  order: "orderId",
  return: "rmaNumber",
  purchaseOrder: "poNumber",
  workOrder: "workOrderId",
  transfer: "transferId",
  unidentifiedReceipt: "unidentifiedId",
  parcel: "olpnId",
  orderDocument: "documentId",
  carrierDecision: "decisionId",
  outboundDocument: "documentId",
  count: "countId",
  labelManifest: "manifestId",
} as const;
export type FacilityObject = keyof typeof facilityObjects;

/**
 * How an operation is partitioned by facility. `none`: not at all; it concerns the user, the platform or reference
 * data. `scope`: the operation itself restricts its result to the user's facilities. `named`: it names a facility in
 * its path, query or body, which the hooks check. An object: its path names an object whose facility the hooks look up.
 */
export type FacilityPartition = "none" | "scope" | "named" | FacilityObject;

/** The `config` of a route of the console: who may use it, and what it concerns. */
export interface OperatorRoute {
  /** The minimum role; without it `viewer` for GET and `operator` for a change. */
  readonly role?: OperatorRole;
  /**
   * Concerns the platform and not one client: a write that needs no `clientId`. A platform operation for admins
   * requires an admin without limits, because its change affects all clients.
   */
  readonly isPlatform?: boolean;
  /** The operation needs no sign-in. */
  readonly isOpen?: boolean;
  /** An open operation that proves no user, and never answers 401. */
  readonly isAnonymous?: boolean;
  /** Without it the operation is closed to developers of brands, whatever the minimum role. */
  readonly isForDevelopers?: boolean;
  /** Without it the operation is closed to users who are limited to facilities. */
  readonly partition?: FacilityPartition;
  /** Sign-in steps that may still be pending; without it the operation is closed until the sign-in is complete. */
  readonly steps?: readonly PendingStep[];
  /** Whether the user must have proved their identity recently. */
  readonly takesProof?: boolean;
  /** Refused with 409 for a user whom an identity provider signs in. */
  readonly isOfLocalUser?: boolean;
  /** A client's operation, mounted for the users of the console. */
  readonly isOfClient?: boolean;
  /** `clientId` may also be the tenant of a facility: only for users without limits. */
  readonly takesFacility?: boolean;
}

export function leastRoleOf(config: OperatorRoute | undefined, method: string): OperatorRole {
  return config?.role ?? (method === "GET" || method === "HEAD" ? "viewer" : "operator");
}

/** The user of a request that passed the hooks of the console. */
export function operatorOf(request: FastifyRequest): Operator {
  const { operator } = exchangeOf(request);
  assert(operator, "the route is not behind the hooks of the console");
  return operator;
}

/** Begins the name of the user at the command line of the machine. No name of an account has a colon. */
export const localOwnerPrefix = "cli:";

export const isLocalOwner = ({ userName }: Operator) => userName.startsWith(localOwnerPrefix);

/** The user in the audit log and the timelines. */
export const actorOf = (operator: Operator) =>
  isLocalOwner(operator) ? operator.userName : `user:${operator.userName}`;

/** The hooks have rejected filters outside the user's limits, so a filter in the query replaces those limits. */
export function scopeOf(request: FastifyRequest): Scope {
  const { clientIds, facilityCodes } = operatorOf(request);
  const { clientId, distributionCentre } = request.query as Static<typeof scopeQuery>;
  return {
    clientIds: clientId === undefined ? clientIds : [clientId],
    facilityCodes: distributionCentre === undefined ? facilityCodes : [...new Set(distributionCentre)],
  };
}
