// The description of the conventions of rest.md §2 in every document, so that a reader needs no other page.
import type { Audience } from "#/http/access/caller.ts";

const token = `**Token.** Every operation takes \`Authorization: Bearer <ACCESS_TOKEN>\`. \`POST /v1/oauth/token\` answers a token for the client_id and client_secret of a credential; it may be used until \`expires_in\` seconds have passed.`;

const client = `**Client.** \`clientId\` may be left out where the token is for one client. What belongs to another client is answered as what does not exist: 404.`;

const session = `**Session.** \`POST /v1/operatorService/session/create\` takes user name and password and sets a cookie, which ends 12 hours later, after 2 hours without use, and with what the user may do. What is no GET carries the \`csrfToken\` of the session in \`X-CSRF-Token\` besides, and comes from pages of this very address.`;

const roles = `**Roles.** Unless an operation says otherwise, a viewer may read, an operator may change, and an admin may do both. Users may be limited to clients and to facilities: what lies outside is answered 403 where it is named, and 404 where it is looked for. Operations that concern all facilities of a client are closed to users who are limited to facilities: \`x-facility-partition\` of each operation says how it is partitioned.`;

const mounted = `**Clients' operations.** Below \`/v1/operatorService/client\` stand the operations of the clients' services, for the client that \`clientId\` names in query or body; a user of a single client may leave it out.`;

const pages = `**Pages.** Lists answer \`{items, nextCursor}\`. Send \`nextCursor\` as \`cursor\` for the next page; it is null at the end. \`limit\` is 50 unless said otherwise, and 500 at the most. What arrives meanwhile shifts no page.`;

const feeds = `**Change feeds.** Lists page by position and always answer a \`nextCursor\`: send it as \`cursor\`, now or later, for what has changed since. Nothing appears behind a position that was read.`;

const writes = `**Writes.** A write takes an \`Idempotency-Key\`: sent again, it is answered as the first time and does nothing. Records carry \`version\`, and their \`ETag\` in \`If-Match\` keeps an update from undoing somebody else's.`;

const reports = `**Reports.** A report carries a \`reportId\`, or an \`Idempotency-Key\`: sent again, it is answered as the first time and does nothing. Up to 500 reports of a kind go in one request.`;

const problems = `**Problems.** What is refused is answered as \`application/problem+json\` (RFC 9457); \`type\` leads to a page that explains it, and \`errors\` names all faults of the request at once. Unknown fields and parameters are refused. Every answer carries \`X-Correlation-Token\`, which names the request to the operator.`;

const rate = `**Rate.** Each credential has a rate; \`RateLimit-Policy\` and \`RateLimit\` say how much there is, and a 429 says in \`Retry-After\` when to come again.`;

const rateOfUsers = rate.replace("credential", "user");

/** @param audience whose service it is. */
export function conventionsOf(audience: Audience): string {
  if (audience === "operator") return [session, roles, mounted, pages, writes, problems, rateOfUsers].join("\n\n");
  const own = audience === "client" ? [client, pages, writes] : [feeds, reports];
  return [token, ...own, problems, rate].join("\n\n");
}
