// Invitations of brands' developers in schemas (contract operations.md §5).
import Type, { type Static } from "typebox";
import { password } from "#/console-api/access/contract.ts";
import { defineCursor, pageOf, pageParameters, placeIdV7 } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";

const invitationId = Type.String({
  format: "uuid",
  description: "Identifies the invitation. It gives no access.",
  examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
});

export const invitation = Type.Object(
  {
    invitationId,
    clientId: text("The client that the developer will be limited to.", "DEMO"),
    address: text("The e-mail address.", "dev@brand.example"),
    invitedBy: text("The user who invited.", "anna"),
    invitedAt: moment("When the newest link was made."),
    expiresAt: moment("When the link ends. It ends earlier with its first use, a newer link, and a withdrawal."),
    mailedAt: nullable(moment("When the mail server accepted the mail; null: it did not, or there is none.")),
    mailError: maybeText("Why the mail server did not accept the mail; null: it did, or there is none.", "451 later"),
  },
  { ...closed, title: "Invitation", description: "An open invitation of a brand's developer, or an expired one." },
);
export type Invitation = Static<typeof invitation>;

export const invitationPage = pageOf(invitation, "Invitations, the newest first.");
export const invitationListQuery = Type.Object({ ...pageParameters }, closed);
export const invitationCursor = defineCursor("console invitations", Type.Object({ id: placeIdV7 }, closed));
export const invitationPath = Type.Object({ invitationId }, closed);

export const invitationCreate = Type.Object(
  {
    clientId: identifier("The client that the developer is limited to.", "DEMO"),
    address: Type.String({
      minLength: 3,
      maxLength: 254,
      description: "The e-mail address of the developer.",
      examples: ["dev@brand.example"],
    }),
  },
  { ...closed, title: "InvitationCreate", description: "Whom to invite." },
);

export const sentInvitation = Type.Object(
  {
    invitation,
    link: maybeText(
      "The link, shown now and never again, where no mail server accepted the mail; null: it is in the mail.",
      "https://api.crossdock.example/console/invitation#n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
    ),
  },
  { ...closed, title: "SentInvitation", description: "The invitation, and its link where no mail was sent." },
);

export const invitationDeleted = Type.Unsafe<null>({ type: "null", description: "The link is no longer valid." });

const token = Type.String({
  pattern: "^[A-Za-z0-9_-]{43}$",
  description: "The part of the link after `#`.",
  examples: ["n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"],
});

export const invitationOpen = Type.Object(
  { token },
  { ...closed, title: "InvitationOpen", description: "The link that is opened." },
);

export const openedInvitation = Type.Object(
  {
    clientId: text("The client.", "DEMO"),
    clientName: text("Its name.", "Demo brand"),
    address: text("The invited e-mail address.", "dev@brand.example"),
    expiresAt: moment("When the link ends."),
  },
  { ...closed, title: "OpenedInvitation", description: "What the invited person accepts." },
);

export const invitationAccept = Type.Object(
  {
    token,
    userName: Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$",
      description: "Name to sign in with: letters, digits and . _ @ + -, and a letter or digit first.",
      examples: ["greta"],
    }),
    password: password("The password that the invited person chooses; the rules of `session/changePassword` apply."),
  },
  { ...closed, title: "InvitationAccept", description: "The account of the invited person." },
);

export const acceptedInvitation = Type.Object(
  { userName: text("The user, who now signs in.", "greta"), clientId: text("The client.", "DEMO") },
  { ...closed, title: "AcceptedInvitation", description: "The new user." },
);
