import { columns } from "#/cli/columns.ts";
import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { resetPassword } from "#/console-api/access/users.ts";
import { refused } from "#/kernel/result.ts";

export const userPassword = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const changed = await platform.change(async (tx, change) => {
      const made = await resetPassword(tx, change, call.argument("NAME"));
      return made.ok ? made : refused(made.fault.detail);
    });
    if (!changed.ok) return changed;
    const { user, password } = changed.value;
    return done({ username: user.userName, password }, [
      `User ${user.userName} has a new password, shown only now:`,
      ...columns([
        ["  User name", user.userName],
        ["  Password", password],
      ]),
    ]);
  });
