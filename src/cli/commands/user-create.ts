import { columns } from "#/cli/columns.ts";
import { type Command, done, misuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { createUser, isUserRole, userRoles } from "#/modules/operator/index.ts";

export const userCreate: Command = {
  name: "user create",
  summary: "Makes a console user and prints the password, which is shown only now.",
  arguments: [{ name: "NAME", meaning: "the name to sign in with" }],
  options: [{ name: "role", value: userRoles.join("|"), meaning: "what the user may do", isRequired: true }],
  async run(call) {
    const role = call.given("role");
    if (!isUserRole(role)) return misuse(`--role is one of ${userRoles.join(", ")}`);
    return withPlatform(async (platform) => {
      const created = await platform.change((tx, change) =>
        createUser(tx, change, { username: call.argument("NAME"), role }),
      );
      if (!created.ok) return created;
      const { username, password } = created.value;
      return done(created.value, [
        `User ${username} (${role}) is made. The password, shown only now:`,
        ...columns([
          ["  User name", username],
          ["  Password", password],
        ]),
      ]);
    });
  },
};
