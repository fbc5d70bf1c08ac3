import { useState } from "react";
import { api } from "../../api.ts";
import { pathWith } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Go } from "../../parts/go.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { type MadePassword, MadePasswords } from "./password-box.tsx";
import { SignInRefusals } from "./sign-in-refusals.tsx";
import { accessOf, limitText, roleWords, stateOf, type User, useAccessFields } from "./user-fields.tsx";
import { UserSessions } from "./user-sessions.tsx";

/** A user: role, limits, sessions, and an admin's actions on them. */
export const UserPage = pageOf("/user/get/{userName}", { what: "The user" }, (user) => <Whole user={user} />);

function Whole({ user }: { readonly user: User }) {
  const { userName, role, clientIds, facilityCodes, lastSignInAt, createdAt } = user;
  const [made, setMade] = useState<readonly MadePassword[]>([]);
  return (
    <DetailPage
      what="User"
      id={userName}
      back={{ to: "/users", label: "Users" }}
      state={<StateBadge kind="user" state={stateOf(user)} />}
      actions={<Actions user={user} onPassword={(madePassword) => setMade((before) => [madePassword, ...before])} />}
      notice={<MadePasswords made={made} />}
      facts={[
        { name: "Role", value: roleWords[role] },
        { name: "Clients", value: limitText(clientIds) },
        { name: "Facilities", value: limitText(facilityCodes) },
        { name: "Signs in by", value: user.identityProvider ?? "a password" },
        { name: "Last sign-in", value: lastSignInAt === null ? "never" : <Time at={lastSignInAt} isExact /> },
        { name: "Created", value: <Time at={createdAt} isExact /> },
        {
          name: "Audit",
          value: (
            <>
              <Go to={pathWith("/audit", { actor: `user:${userName}`, range: "30d" })}>What the user did</Go>
              {", "}
              <Go to={pathWith("/audit", { objectType: "user", objectId: userName, range: "30d" })}>
                what was done to the user
              </Go>
            </>
          ),
        },
      ]}
      tabs={[
        { key: "sessions", label: "Sessions", content: <UserSessions userName={userName} /> },
        { key: "refusals", label: "Refused sign-ins", content: <SignInRefusals userName={userName} /> },
      ]}
    />
  );
}

interface ActionsProps {
  readonly user: User;
  onPassword(made: MadePassword): void;
}

function Actions({ user, onPassword }: ActionsProps) {
  const { userName, isSuspended, identityProvider } = user;
  const isSelf = useSession().userName === userName;
  const fields = useAccessFields(user);
  const params = { path: { userName } };
  const patch = (body: { readonly isSuspended: boolean } | ReturnType<typeof accessOf>) =>
    api.PATCH("/user/patch/{userName}", { params, body });
  return (
    <>
      <ActionButton
        verb="Change role and limits"
        role="admin"
        title={`Change ${userName}`}
        text={isSelf ? "This signs you out." : "This signs the user out. The new role applies from the next sign-in."}
        fields={fields}
        whyNot={
          identityProvider === null
            ? undefined
            : "Role and limits come from the groups at the identity provider, at each sign-in."
        }
        run={(values) => patch(accessOf(values))}
        done={`User ${userName} was changed.`}
      />
      {identityProvider === null ? (
        <ActionButton
          verb="Reset password"
          role="admin"
          title={`Reset the password of ${userName}`}
          text="The user is signed out everywhere. A new password is generated and shown once."
          run={async () => onPassword(await api.POST("/user/resetPassword/{userName}", { params }))}
          whyNot={isSelf ? "Your own password: Change password, in the menu with your name at the top." : undefined}
          done="The password was reset. The new one is shown once."
        />
      ) : null}
      {identityProvider === null ? (
        <ActionButton
          verb="Reset second factor"
          role="admin"
          isDestructive
          title={`Reset the second factor of ${userName}`}
          text="For a user who has lost it. All factors and recovery codes are removed, and the user is signed out everywhere. Until a new factor is set up, the password is enough. If the role requires a second factor, the next sign-in asks the user to set one up."
          run={() => api.POST("/user/resetFactors/{userName}", { params })}
          whyNot={isSelf ? "Another admin can reset yours." : undefined}
          done={`User ${userName} no longer has a second factor.`}
        />
      ) : null}
      {isSuspended ? (
        <ActionButton
          verb="Resume user"
          role="admin"
          isPrimary
          run={() => patch({ isSuspended: false })}
          done={`User ${userName} may sign in again.`}
        />
      ) : (
        <ActionButton
          verb="Suspend user"
          role="admin"
          isDestructive
          title={`Suspend user ${userName}`}
          text="The user is signed out everywhere at once, and cannot sign in until resumed."
          run={() => patch({ isSuspended: true })}
          whyNot={isSelf ? "Another admin can suspend you." : undefined}
          done={`User ${userName} is suspended.`}
        />
      )}
    </>
  );
}
