import { columns } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { isUserRole, userRoles } from "#/console-api/access/domain.ts";
import { createUser } from "#/console-api/access/users.ts";
import { refused } from "#/kernel/result.ts";

export async function userCreate(call: Call): Promise<Outcome> {
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
}

const listed = (names: readonly string[]) => (names.length === 0 ? null : names);
