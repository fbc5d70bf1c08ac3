import { table } from "#/cli/columns.ts";
import { done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listUsers } from "#/console-api/access/users.ts";

const usersMax = 10_000;

export const userList = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const users = await listUsers(database, undefined, usersMax);
    return done(
      users,
      table(
        ["USER", "ROLE", "CLIENTS", "FACILITIES", "STATUS", "SIGNS IN BY", "LAST SIGN-IN"],
        users.map((user) => [
          user.userName,
          user.role,
          user.clientIds?.join(",") ?? "all",
          user.facilityCodes?.join(",") ?? "all",
          user.isSuspended ? "SUSPENDED" : "ACTIVE",
          user.identityProvider ?? "password",
          user.lastSignInAt?.slice(0, 16) ?? "never",
        ]),
        "No console user yet; create one with 'crossdock user create NAME --role admin'.",
      ),
    );
  });
