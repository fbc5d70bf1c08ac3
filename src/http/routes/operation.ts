import type { FastifyRequest } from "fastify";
import { clientIdOf } from "#/http/access/bearer.ts";
import { actorOf } from "#/http/access/operator.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";
import type { OutboxWriter } from "#/store/outbox/append.ts";

/** The dependencies of the operations of a client's service. */
export interface ServiceContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: OutboxWriter;
}

/** The author, time and origin of a change: a client or a warehouse by its own request, or a user of the console. */
export function changeOf({ clock, ids }: Pick<ServiceContext, "clock" | "ids">, request: FastifyRequest): Change {
  const at = new Date(clock.now()).toISOString();
  const { operator, caller } = exchangeOf(request);
  const owner = caller?.kind === "warehouse" ? `warehouse:${caller.facilityCode}` : `client:${clientIdOf(request)}`;
  const actor = operator ? actorOf(operator) : owner;
  return { actor, origin: request.ip, at, ids };
}
