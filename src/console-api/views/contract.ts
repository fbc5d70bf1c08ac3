import Type, { type Static } from "typebox";
import { closed, moment } from "#/http/routes/schema.ts";

/** Maximum number of views of one user for one screen: enough to choose from, and few enough for a list. */
export const viewsMax = 50;

/** Maximum number of views of one user, whatever the screens: a screen is any word. */
export const viewsOfUserMax = 500;

const screen = Type.String({
  pattern: "^[a-z][a-z-]{0,31}$",
  description: "Screen of the view.",
  examples: ["orders"],
});
/** Contains only visible characters, and does not begin or end with a blank. */
const name = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: "^[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$",
  description: "Its name: unique for a user and a screen, ignoring case.",
  examples: ["Back-ordered at DC1"],
});
const query = Type.String({
  maxLength: 2_000,
  pattern: "^[\\u0021-\\u007e]*$",
  description: "Filters, sort and columns, as in the query of the screen's address.",
  examples: ["status=BACKORDERED&distributionCentre=DC1"],
});
const isShared = Type.Boolean({ description: "Whether all users see it.", examples: [false] });

export const viewQuery = Type.Object({ screen }, closed);

export const viewPath = Type.Object(
  {
    viewId: Type.String({
      format: "uuid",
      description: "The view.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
  },
  closed,
);

export const viewSaving = Type.Object(
  { screen, name, query, isShared: Type.Optional(isShared) },
  {
    ...closed,
    title: "ViewSaving",
    description: "A view to save: it replaces the user's view of the same name.",
  },
);

export const view = Type.Object(
  {
    viewId: Type.String({
      format: "uuid",
      description: "Identifier of the view.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    screen,
    name,
    query,
    isShared,
    isOwn: Type.Boolean({ description: "Whether it is the user's own.", examples: [true] }),
    userName: Type.String({ description: "User who created it.", examples: ["anna"] }),
    updatedAt: moment("When it was last saved."),
  },
  { ...closed, title: "View", description: "A saved list of a user." },
);
export const storedView = Type.Omit(view, ["isOwn"]);
export type StoredView = Static<typeof storedView>;

export const viewList = Type.Object(
  { items: Type.Array(view, { description: "The user's own first, then shared ones; by name." }) },
  { ...closed, title: "Views", description: "The views of a screen." },
);

export const viewDeleted = Type.Unsafe<null>({ type: "null", description: "The view is deleted." });
