// Tokens for agents in schemas (contract operations.md §5, docs/agents.md).
import Type, { type Static } from "typebox";
import { closed, identifier, moment, nullable, text } from "#/http/routes/schema.ts";

/** Of one user at a time. */
export const agentTokensMax = 20;

const hoursDefault = 8;

const mayPropose = (description: string) => Type.Boolean({ description, examples: [false] });

export const agentToken = Type.Object(
  {
    tokenId: text("Identifies the token. It gives no access.", "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"),
    name: text("Name that the user gave it.", "Order desk"),
    clientId: text("The client whose data the agent reads.", "DEMO"),
    mayPropose: mayPropose("Whether the agent may also propose changes."),
    startedAt: moment("When it was issued."),
    lastUsedAt: nullable(moment("When the agent last used it, to the minute; null: not yet.")),
    expiresAt: moment("When it expires."),
  },
  { ...closed, title: "AgentToken", description: "A token by which an agent acts for the user." },
);
export type AgentToken = Static<typeof agentToken>;

export const agentTokens = Type.Object(
  { items: Type.Array(agentToken, { maxItems: agentTokensMax, description: "The newest first." }) },
  { ...closed, title: "AgentTokens", description: "The tokens of the user that agents may still use." },
);

export const agentTokenCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: "What the agent is for.", examples: ["Order desk"] }),
    clientId: identifier("The client whose data the agent reads.", "DEMO"),
    mayPropose: Type.Optional(
      mayPropose(
        "Whether the agent may also propose changes: requires the role operator, without limits to facilities.",
      ),
    ),
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 24,
        description: `Hours until it expires; ${hoursDefault} if left out.`,
        examples: [hoursDefault],
      }),
    ),
  },
  { ...closed, title: "AgentTokenCreate", description: "A token to issue; the server generates it." },
);
export const hoursOf = ({ hours = hoursDefault }: Static<typeof agentTokenCreate>): number => hours;

export const issuedAgentToken = Type.Object(
  {
    agentToken,
    token: text(
      "The token, shown now and never again; `***` in the answer to a repeated request.",
      "xda_Yk3qv0sP1u2tW8m4b7nX5c6z9d0f1g2h3j4k5l6a7s8",
    ),
  },
  { ...closed, title: "IssuedAgentToken", description: "The token and its value." },
);

export const agentTokenPath = Type.Object(
  { tokenId: identifier("The token.", "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg") },
  closed,
);

export const agentTokenDeleted = Type.Unsafe<null>({ type: "null", description: "The token has ended." });
