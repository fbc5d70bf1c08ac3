import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeId, placeMoment, placeText } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { agentToolNames, agentToolObjects } from "#/modules/clients/index.ts";
import { proposalStates } from "#/modules/proposals/states.ts";

/** Proposals of agents, for operators (docs/agents.md). */
const tool = Type.Enum([...agentToolNames], {
  type: "string",
  title: "AgentTool",
  description: "The tool that the agent called.",
  examples: ["hold_order"],
});

const objectType = Type.Enum([...new Set(Object.values(agentToolObjects))], {
  type: "string",
  title: "AgentToolObject",
  description: "Type of the object.",
  examples: ["order"],
});

const status = Type.Enum([...proposalStates], {
  type: "string",
  title: "ProposalStatus",
  description: "State of the proposal.",
  examples: ["PENDING"],
});

const change = Type.Object(
  {
    field: text("Place of the field in the record.", "shipToAddress.city"),
    before: maybeText("Its value when the agent proposed it; null: none.", "Bristol"),
    after: maybeText("Its value after the change; null: none.", "Bath"),
  },
  { ...closed, title: "ProposedChange", description: "A field that the operation would change." },
);

const result = Type.Object(
  {
    status: Type.Integer({ description: "HTTP status of its answer.", examples: [200] }),
    detail: maybeText("Why it was refused.", "The order has left."),
  },
  { ...closed, title: "ProposalResult", description: "The answer of the operation." },
);

export const proposal = Type.Object(
  {
    proposalId: text("The proposal.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    clientId: text("Client.", "DEMO"),
    tool,
    objectType,
    objectId: text("The object: an order, a lot, a return, a work order or a delivery.", "WEB-100045"),
    method: text("Method of the request.", "POST"),
    path: text("Path of the request, below /client.", "/order/hold/WEB-100045"),
    body: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: "object",
      additionalProperties: true,
      description: "Body of the request.",
      examples: [{ reason: "Address to be confirmed" }],
    }),
    reason: text("Why the agent proposes it.", "The customer wrote that the address is wrong."),
    agent: text("Name that the agent gives itself.", "order-desk 1.0"),
    credentialId: text("Credential of the agent.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    proposedBy: maybeText("The user for whom the agent proposes it; null: the client.", "user:anna"),
    changes: Type.Array(change, { description: "What a dry run of the operation changed." }),
    status,
    createdAt: moment("When the agent proposed it."),
    expiresAt: moment("When it expires."),
    decidedBy: maybeText("Who approved or rejected it.", "user:anna"),
    decidedAt: nullable(moment("When.")),
    decisionReason: maybeText("Why it was rejected.", "The address is right."),
    result: nullable(result),
  },
  { ...closed, title: "Proposal", description: "A request that an agent proposes." },
);
export type ProposalRecord = Static<typeof proposal>;

export const proposalSummary = Type.Omit(proposal, ["method", "path", "body", "changes", "credentialId", "result"], {
  ...closed,
  title: "ProposalSummary",
  description: "A proposal in the list.",
});
export type ProposalSummary = Static<typeof proposalSummary>;
export const proposalPage = pageOf(proposalSummary, "Proposals of agents, the newest first.");

export const proposalListQuery = Type.Object(
  {
    ...scopeParameters,
    status: Type.Optional(Type.Array(status, { maxItems: 6, description: "Only these states." })),
    ...pageParameters,
  },
  closed,
);
export const proposalCursor = defineCursor(
  "proposals",
  Type.Object({ at: placeMoment, client: placeText(), id: placeId }, closed),
);

export const proposalPath = Type.Object(
  { proposalId: identifier("The proposal.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11") },
  closed,
);
export const proposalQuery = Type.Object({ clientId: clientIdParameter }, closed);
export const proposalApproval = Type.Object({}, { ...closed, title: "ProposalApproval", description: "Nothing." });
export const proposalRejection = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Reason; the agent reads it.",
        examples: ["The address is right."],
      }),
    ),
  },
  { ...closed, title: "ProposalRejection", description: "Optional." },
);
