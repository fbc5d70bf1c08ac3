import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { components } from "#operator";
import { api } from "../api.ts";
import { Form, Refusal } from "../parts/form.tsx";
import { sentenceOf } from "../parts/loading/problem.tsx";
import { BoxSkeleton } from "../parts/loading/skeletons.tsx";
import { usePageTitle } from "../parts/page/screen.tsx";
import type { Accepted } from "../session.tsx";
import styles from "./sign-in-page.module.css";

type Opened = components["schemas"]["OpenedInvitation"];

/** The page of a link of an invitation. The secret is behind `#`, which browsers send to no server. */
export function InvitationPage() {
  usePageTitle("Invitation");
  const token = useLocation().hash.slice(1);
  const { data, error } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => api.POST("/invitation/open", { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Stack>
          <h1 className={styles.title}>Crossdock</h1>
          {error ? (
            <Text role="alert" c="var(--mantine-color-error)">
              {sentenceOf(error)}
            </Text>
          ) : data ? (
            <AccountForm token={token} opened={data} />
          ) : (
            <BoxSkeleton height={200} />
          )}
        </Stack>
      </div>
    </main>
  );
}

/** A user name for the address: `greta@brand.example` is "greta". */
const nameFor = (address: string) => address.replace(/@.*/, "").replaceAll(/[^A-Za-z0-9._+-]/g, "");

function AccountForm({ token, opened }: { readonly token: string; readonly opened: Opened }) {
  const { clientId, clientName, address, expiresAt } = opened;
  const [userName, setUserName] = useState(nameFor(address));
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => api.POST("/invitation/accept", { body: { token, userName, password } }),
    onSuccess: ({ userName: accepted }) =>
      navigate("/sign-in", { replace: true, state: { accepted } satisfies Accepted }),
  });
  return (
    <Form submit={() => accept.mutate()} aria-label="Accept the invitation">
      <Stack>
        <p className={styles.text}>
          You are invited as a developer of {clientName === clientId ? clientId : `${clientName} (${clientId})`}. The
          link is valid once, until {`${expiresAt.slice(0, 10)} ${expiresAt.slice(11, 16)} UTC`}.
        </p>
        <TextInput
          label="User name"
          description="You sign in with it."
          autoComplete="username"
          required
          withAsterisk={false}
          value={userName}
          onChange={(event) => setUserName(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description="At least 12 characters."
          autoComplete="new-password"
          autoFocus
          required
          withAsterisk={false}
          minLength={12}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Refusal text={accept.error && sentenceOf(accept.error)} />
        <Button type="submit" fullWidth loading={accept.isPending}>
          Create the account
        </Button>
      </Stack>
    </Form>
  );
}
