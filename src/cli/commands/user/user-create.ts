import { columns } from "#/cli/columns.ts";
import { type Command, done, misuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { createUser, isUserRole, userRoles } from "#/console-api/index.ts";
import { refused } from "#/kernel/result.ts";

export const userCreate: Command = {
  name: "user create",
  summary: "Creates a console user and prints the password once.",
  arguments: [{ name: "NAME", meaning: "the name to sign in with" }],
  options: [
    { name: "role", value: userRoles.join("|"), meaning: "what the user may do", isRequired: true },
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
  async run(call) {
    const role = call.given("role");
    if (!isUserRole(role)) return misuse(`--role is one of ${userRoles.join(", ")}`);
    const userName = call.argument("NAME");
    const limits = { clientIds: listed(call.optionList("client")), facilityCodes: listed(call.optionList("facility")) };
    return withPlatform(async (platform) => {
      const created = await platform.change(async (tx, change) => {
        const made = await createUser(tx, change, { userName, role, ...limits });
        return made.ok ? made : refused(made.fault.detail);
      });
      if (!created.ok) return created;
      const { user, password } = created.value;
      return done({ username: user.userName, password }, [
        `User ${user.userName} (${role}) is created. The password, shown only now:`,
        ...columns([
          ["  User name", user.userName],
          ["  Password", password],
        ]),
      ]);
    });
  },
};

const listed = (names: readonly string[]) => (names.length === 0 ? null : names);
