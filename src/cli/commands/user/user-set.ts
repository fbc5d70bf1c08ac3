import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { isUserRole, userRoles } from "#/console-api/access/domain.ts";
import { changeUser, type UserChanges } from "#/console-api/access/users.ts";
import { refused } from "#/kernel/result.ts";

const all = "all";

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
    const changed = await platform.change(async (tx, change) => {
      const outcome = await changeUser(tx, change, call.argument("NAME"), changes);
      return outcome.ok ? outcome : refused(outcome.fault.detail);
    });
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
