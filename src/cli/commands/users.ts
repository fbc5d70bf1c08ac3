import { columns, table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { isUserRole, userRoles } from "#/console-api/access/domain.ts";
import { resetFactors } from "#/console-api/access/factors/own-factors.ts";
import { listUsers } from "#/console-api/access/user-repository.ts";
import { changeUser, createUser, resetPassword, type UserChanges } from "#/console-api/access/users.ts";

const usersMax = 10_000;

const all = "all";

export async function userCreate(call: Call): Promise<Outcome> {
  const role = call.given("role");
  if (!isUserRole(role)) return misuse(`--role is one of ${userRoles.join(", ")}`);
  const userName = call.argument("NAME");
  const limits = { clientIds: listed(call.optionList("client")), facilityCodes: listed(call.optionList("facility")) };
  return withPlatform(async (platform) => {
    const created = await platform.change((tx, change) => createUser(tx, change, { userName, role, ...limits }));
    if (!created.ok) return created;
    const { user, password } = created.value;
    return done({ username: user.userName, password }, [
      `User ${user.userName} (${role}) is created. The password, shown only now:`,
      ...passwordLines(user.userName, password),
    ]);
  });
}

const passwordLines = (userName: string, password: string) =>
  columns([
    ["  User name", userName],
    ["  Password", password],
  ]);

const listed = (names: readonly string[]) => (names.length === 0 ? null : names);

export const userList = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const users = await listUsers(database, "", usersMax);
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

export async function userSet(call: Call): Promise<Outcome> {
  const role = call.option("role");
  if (role !== undefined && !isUserRole(role)) return misuse(`--role is one of ${userRoles.join(", ")}`);
  const [suspend, resume] = [call.flag("suspend"), call.flag("resume")];
  if (suspend && resume) return misuse("--suspend and --resume exclude each other");
  const clientIds = limitOf(call.optionList("client"));
  const facilityCodes = limitOf(call.optionList("facility"));
  const changes: UserChanges = {
    ...(role === undefined ? {} : { role }),
    ...(clientIds === undefined ? {} : { clientIds }),
    ...(facilityCodes === undefined ? {} : { facilityCodes }),
    ...(suspend || resume ? { isSuspended: suspend } : {}),
  };
  if (Object.keys(changes).length === 0) return misuse("name at least one change");
  return withPlatform(async (platform) => {
    const changed = await platform.change((tx, change) => changeUser(tx, change, call.argument("NAME"), changes));
    if (!changed.ok) return changed;
    const { userName, isSuspended, ...user } = changed.value;
    const limits = `clients: ${user.clientIds?.join(", ") ?? all}; facilities: ${user.facilityCodes?.join(", ") ?? all}`;
    const line = `User ${userName} is ${user.role}${isSuspended ? ", suspended" : ""}; ${limits}.`;
    return done(changed.value, [line]);
  });
}

/** Undefined: unchanged; null: no limit. */
function limitOf(names: readonly string[]): readonly string[] | null | undefined {
  if (names.length === 0) return undefined;
  return names.includes(all) ? null : names;
}

export const userPassword = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const changed = await platform.change((tx, change) => resetPassword(tx, change, call.argument("NAME")));
    if (!changed.ok) return changed;
    const { user, password } = changed.value;
    return done({ username: user.userName, password }, [
      `User ${user.userName} has a new password, shown only now:`,
      ...passwordLines(user.userName, password),
    ]);
  });

export const userResetFactors = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const reset = await platform.change((tx, change) => resetFactors(tx, change, call.argument("NAME")));
    if (!reset.ok) return reset;
    const { userName } = reset.value;
    return done({ username: userName }, [`User ${userName} no longer has a second factor.`]);
  });
