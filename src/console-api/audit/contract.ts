import Type, { type Static } from "typebox";
import { idCursors, idSort } from "#/console-api/id-order.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { pageOf, pageParameters } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment } from "#/http/routes/schema.ts";

export const auditQuery = Type.Object(
  {
    ...pageParameters,
    clientId: scopeParameters.clientId,
    actor: Type.Optional(identifier("Only actions of this user or system.", "user:anna")),
    action: Type.Optional(identifier("Only this.", "release")),
    objectType: Type.Optional(identifier("Only actions on objects of this type.", "order")),
    objectId: Type.Optional(identifier("Only actions on this object.", "WEB-100045")),
    from: Type.Optional(moment("Not before.")),
    to: Type.Optional(moment("Before.")),
    sort: idSort("ActionSort", "at"),
  },
  closed,
);

const auditEntry = Type.Object(
  {
    auditId: Type.String({ description: "The line.", examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"] }),
    at: moment("When."),
    actor: Type.String({
      description: "Actor: `user:NAME`, `client:ID`, `warehouse:CODE`, `cli:NAME`, `worker`.",
      examples: ["user:anna"],
    }),
    action: Type.String({ description: "The action.", examples: ["release"] }),
    objectType: Type.String({ description: "To what.", examples: ["order"] }),
    objectId: Type.String({ description: "Its number.", examples: ["WEB-100045"] }),
    clientId: maybeText("Client; null for the platform.", "DEMO"),
    origin: Type.String({
      description: "Source: an address, or a part of the platform.",
      examples: ["10.0.0.7"],
    }),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "Details; never a secret, never a person's address.",
      examples: [{ holds: ["CLIENT_REQUEST"] }],
    }),
  },
  { ...closed, title: "AuditEntry", description: "An action on an object, and its actor." },
);

/** Its id contains the time. */
export const storedAudit = Type.Omit(auditEntry, ["at"]);
export type StoredAudit = Static<typeof storedAudit>;

export const auditPage = pageOf(auditEntry, "Actions, in the requested order.");

export const auditCursors = idCursors("audit");
