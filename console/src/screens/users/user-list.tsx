import { useState } from "react";
import { api } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Screen, Section } from "../../parts/page/screen.tsx";
import { Invitations, InviteButton, useLinks } from "./invitations.tsx";
import { type MadePassword, MadePasswords } from "./password-box.tsx";
import { SignInRefusals } from "./sign-in-refusals.tsx";
import { accessOf, limitText, stateOf, type User, useAccessFields, wayText } from "./user-fields.tsx";

const pathOf = ({ userName }: User) => linkTo("user", "", userName);

const columns: readonly Column<User>[] = [
  { key: "userName", kind: "id", header: "User", to: pathOf },
  { key: "role", kind: "word", header: "Role" },
  { key: "state", states: "user", of: stateOf },
  { key: "clientIds", header: "Clients", width: 170, of: ({ clientIds }) => limitText(clientIds) },
  { key: "facilityCodes", header: "Facilities", width: 160, of: ({ facilityCodes }) => limitText(facilityCodes) },
  { key: "identityProvider", header: "Signs in by", width: 160, of: wayText },
  { key: "lastSignInAt", header: "Last sign-in", none: "never" },
  { key: "createdAt", header: "Created" },
];

const noScope: readonly never[] = [];

/** All users of the console. */
export function UserList() {
  const [made, setMade] = useState<readonly MadePassword[]>([]);
  const links = useLinks();
  const fields = useAccessFields();
  const add = (
    <ActionButton
      verb="Add user"
      role="admin"
      isPrimary
      title="Add user"
      text="A password is generated and shown once."
      fields={[
        {
          name: "userName",
          label: "User name",
          isRequired: true,
          placeholder: "anna",
          description: "Letters, digits and . _ @ + -, a letter or digit first. It cannot be changed.",
        },
        ...fields,
      ]}
      run={async ({ userName = "", ...access }) => {
        const body = { userName: userName.trim(), ...accessOf(access) };
        const created = await api.POST("/user/create", { body });
        setMade((before) => [created, ...before]);
      }}
      done="The user was added. The password is shown once."
    />
  );
  return (
    <Screen
      title="Users"
      actions={
        <>
          <InviteButton onSent={links.add} />
          {add}
        </>
      }
    >
      <MadePasswords made={made} areOthersKept={links.areKept} />
      {links.shown}
      <DataList
        id="users"
        label="Users"
        columns={columns}
        scope={noScope}
        fetchPage={pagesOf("/user/list")}
        height={400}
        empty={{ why: "No users." }}
      />
      <Invitations onSent={links.add} />
      <Section title="Refused sign-ins" note="Counted by day and user, and kept for 90 days.">
        <SignInRefusals />
      </Section>
    </Screen>
  );
}
