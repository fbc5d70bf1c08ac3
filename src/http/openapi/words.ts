// The description of the conventions of rest.md §2 in every document, so that a reader needs no other page.
import type { Audience } from "#/http/access/caller.ts";

const token =
  "**Token.** Every operation takes `Authorization: Bearer <ACCESS_TOKEN>`. `POST /v1/oauth/token` answers a token for the client_id and client_secret of a credential. The token is valid for `expires_in` seconds.";

const client =
  "**Client.** `clientId` may be left out where the token is for one client. An object of another client is answered like an object that does not exist: 404.";

const session =
  "**Session.** `POST /v1/operatorService/session/create` takes user name and password and sets a cookie. The session ends after 12 hours, after 2 hours without use, and when the rights of the user change. Every request but a GET also carries the `csrfToken` of the session in `X-CSRF-Token`, and comes from a page of this address.";

const roles =
  "**Roles.** Unless an operation says otherwise, a viewer may read, an operator may change, and an admin may do both. Users may be limited to clients and to facilities: what is outside these limits is answered 403 where the request names it, and 404 where the request looks it up. Operations that concern all facilities of a client are not available to users who are limited to facilities: `x-facility-partition` of each operation says how it is partitioned.";

const mounted =
  "**Clients' operations.** `/v1/operatorService/client` has the operations of the clients' services, for the client that `clientId` names in query or body; a user of a single client may leave it out.";

const pages =
  "**Pages.** Lists answer `{items, nextCursor}`. Send `nextCursor` as `cursor` for the next page; it is null at the end. `limit` is 50 unless said otherwise, and at most 500. New objects do not shift the pages.";

const feeds =
  "**Change feeds.** Lists page by position and always answer a `nextCursor`: send it as `cursor`, now or later, for the changes since. No object appears before a position that was read.";

const writes =
  "**Writes.** A write takes an `Idempotency-Key`: a repeat gets the first answer and does nothing. Records carry `version`; their `ETag` in `If-Match` keeps an update from overwriting another one.";

const reports =
  "**Reports.** A report carries a `reportId`, or an `Idempotency-Key`: a repeat gets the first answer and does nothing. One request has up to 500 reports of a kind.";

const problems =
  "**Problems.** A refusal is answered as `application/problem+json` (RFC 9457). `type` leads to a page that explains it, and `errors` lists all faults of the request. Unknown fields and parameters are refused. Every answer carries `X-Correlation-Token`, which identifies the request for the operator.";

const rate =
  "**Rate.** Each credential has a rate. `RateLimit-Policy` and `RateLimit` state it, and a 429 says in `Retry-After` when to send the request again.";

const rateOfUsers = rate.replace("credential", "user");

/** @param audience whose service it is. */
export function conventionsOf(audience: Audience): string {
  if (audience === "operator") return [session, roles, mounted, pages, writes, problems, rateOfUsers].join("\n\n");
  const chapters = audience === "client" ? [client, pages, writes] : [feeds, reports];
  return [token, ...chapters, problems, rate].join("\n\n");
}
