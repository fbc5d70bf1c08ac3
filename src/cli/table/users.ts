// The commands for users of the console.
import { type Command, loaded } from "#/cli/command.ts";
import { operatorRoles } from "#/http/access/operator-role.ts";

const roles = operatorRoles.toReversed().join("|");

export const userCommands: readonly Command[] = [
  {
    name: "user create",
    summary: "Creates a console user and prints the password once.",
    arguments: [{ name: "NAME", meaning: "the name to sign in with" }],
    options: [
      { name: "role", value: roles, meaning: "what the user may do", isRequired: true },
      {
        name: "client",
        value: "ID",
        meaning: "a client that the user is limited to; repeat the option for several",
        isList: true,
      },
      {
        name: "facility",
        value: "CODE",
        meaning: "a facility that the user is limited to; repeat the option for several",
        isList: true,
      },
    ],
    notes: [
      "A user of any role who is limited to facilities has no access to what concerns all facilities of a client: settings, credentials, feeds, webhooks, carrier data, users.",
    ],
    run: loaded(async () => (await import("#/cli/commands/users.ts")).userCreate),
  },
  {
    name: "user list",
    summary: "Lists the console users.",
    arguments: [],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/users.ts")).userList),
  },
  {
    name: "user set",
    summary: "Changes the role or the limits of a console user; the user's sessions end.",
    arguments: [{ name: "NAME", meaning: "the user" }],
    options: [
      { name: "role", value: roles, meaning: "what the user may do" },
      {
        name: "client",
        value: "ID",
        meaning: `a client that the user is limited to; repeat the option for several, or 'all'`,
        isList: true,
      },
      {
        name: "facility",
        value: "CODE",
        meaning: `a facility that the user is limited to; repeat the option for several, or 'all'`,
        isList: true,
      },
      { name: "suspend", meaning: "the user may no longer sign in" },
      { name: "resume", meaning: "the user may sign in again" },
    ],
    notes: ["`user create` explains limits to facilities."],
    run: loaded(async () => (await import("#/cli/commands/users.ts")).userSet),
  },
  {
    name: "user password",
    summary: "Sets a new password of a console user and prints it once; the user's sessions end.",
    arguments: [{ name: "NAME", meaning: "the user" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/users.ts")).userPassword),
  },
  {
    name: "user reset-factors",
    summary:
      "Removes all second factors and recovery codes of a console user who has lost them; the user's sessions end.",
    arguments: [{ name: "NAME", meaning: "the user" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/users.ts")).userResetFactors),
  },
];
