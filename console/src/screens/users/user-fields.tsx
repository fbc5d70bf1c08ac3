import type { components } from "#operator";
import { useClients, useFacilities } from "../../directory.ts";
import { type Field, listOf, type Values } from "../../parts/fields.tsx";
import { optionsOf } from "../../parts/options.ts";
import type { Role } from "../../session.tsx";

export type User = components["schemas"]["User"];

export const roleWords: Readonly<Record<Role, string>> = {
  viewer: "Viewer: looks",
  operator: "Operator: daily work",
  admin: "Admin: all actions",
  developer: "Developer: the integration of one client",
};

export const stateOf = ({ isSuspended }: User) => (isSuspended ? "SUSPENDED" : "ACTIVE");

/** `login.example.com`, or "a password". */
export const wayText = ({ identityProvider }: Pick<User, "identityProvider">) =>
  identityProvider === null ? "a password" : new URL(identityProvider).host;

/** `DEMO, LUMEN`, or "all". */
export const limitText = (names: readonly string[] | null) => (names === null ? "all" : names.join(", "));

/** Inputs for role and limits of an existing or a new user. */
export function useAccessFields(user?: User): readonly Field[] {
  const clients = useClients();
  const facilities = useFacilities();
  const { role = "operator", clientIds, facilityCodes } = user ?? {};
  return [
    {
      name: "role",
      label: "Role",
      kind: "select",
      isRequired: true,
      initial: role,
      options: optionsOf(roleWords),
    },
    {
      name: "clientIds",
      label: "Clients",
      kind: "several",
      initial: (clientIds ?? []).join(","),
      description: "None selected: all.",
      options: clients.map(({ clientId, name }) => ({ value: clientId, label: labelOf(clientId, name) })),
    },
    {
      name: "facilityCodes",
      label: "Facilities",
      kind: "several",
      initial: (facilityCodes ?? []).join(","),
      description:
        "None selected: all. A user who is limited to facilities has no access to feeds, mails, carrier data, and settings and credentials of clients, in any role.",
      options: facilities.map(({ facilityCode, name }) => ({
        value: facilityCode,
        label: labelOf(facilityCode, name),
      })),
    },
  ];
}

const labelOf = (code: string, name: string) => (name === code ? code : `${code} ${name}`);

/** The field values in the form of the API. */
export function accessOf({ role = "", clientIds = "", facilityCodes = "" }: Values) {
  return { role: role as Role, clientIds: listOf(clientIds), facilityCodes: listOf(facilityCodes) };
}
