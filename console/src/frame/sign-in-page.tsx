import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { Navigate, useLocation, useSearchParams } from "react-router";
import type { components } from "#operator";
import { ApiProblem, api, request } from "../api.ts";
import { Form } from "../parts/form.tsx";
import { sentenceOf } from "../parts/loading/problem.tsx";
import { BoxSkeleton } from "../parts/loading/skeletons.tsx";
import { usePageTitle } from "../parts/page/screen.tsx";
import { loadScript } from "../reload.ts";
import { type Accepted, type Ended, readSession, type SignedOut, sessionKey } from "../session.tsx";
import { ProviderRefusal, ProviderSignIn } from "./provider-sign-in.tsx";
import styles from "./sign-in-page.module.css";

/** Default until the server has sent the sign-in methods, and if it does not respond. */
const passwordOnly = { isPasswordOpen: true, providerName: null };

const json = { "content-type": "application/json" };

/** A separate script, because most sign-ins have one step. */
const SecondStep = lazy(async () => ({
  default: (await loadScript(() => import("../account/second-step.tsx"))).SecondStep,
}));

type Step = components["schemas"]["SignInProgress"];

/** The sign-in page. It returns to the previous screen. */
export function SignInPage() {
  usePageTitle("Sign in");
  const queries = useQueryClient();
  const [params] = useSearchParams();
  const state = useLocation().state as Ended | SignedOut | Accepted | null;
  const accepted = state && "accepted" in state ? state.accepted : undefined;
  const [userName, setUserName] = useState(accepted ?? "");
  const [password, setPassword] = useState("");
  const [step, setStep] = useState<Step>();
  // No redirect between the steps, because recovery codes may be shown.
  const enabled = step === undefined;
  const { data: session } = useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000, enabled });
  const { data: methods = passwordOnly } = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: () => api.GET("/session/methods"),
    staleTime: 60_000,
  });
  const signIn = useMutation({
    mutationFn: async () => {
      const body = JSON.stringify({ userName, password });
      try {
        await request("/session/create", { method: "POST", headers: json, body });
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.type !== "/problems/step-missing") throw error;
        setStep(await api.GET("/session/step"));
        return null;
      }
      return readSession();
    },
    onSuccess: (mine) => {
      if (mine) queries.setQueryData(sessionKey, mine);
    },
    onSettled: (mine) => {
      if (!mine) setPassword("");
    },
  });
  const waitSeconds = useCountdown(signIn.error);
  const back = safeReturn(params.get("return"));
  if (session) return <Navigate to={back} replace />;
  if (step) {
    return (
      <main className={styles.page}>
        <div className={styles.card}>
          <Stack>
            <h1 className={styles.title}>Crossdock</h1>
            <Suspense fallback={<BoxSkeleton height={200} />}>
              <SecondStep
                step={step}
                onDone={async () => {
                  queries.setQueryData(sessionKey, await readSession());
                  setStep(undefined);
                }}
                onBack={() => setStep(undefined)}
              />
            </Suspense>
          </Stack>
        </div>
      </main>
    );
  }
  const { isPasswordOpen, providerName } = methods;
  const refusal = params.get("refusal");
  return (
    <main className={styles.page}>
      <Form className={styles.card} submit={() => signIn.mutate()} aria-label="Sign in">
        <Stack>
          <div>
            <h1 className={styles.title}>Crossdock</h1>
            <p className={styles.text}>Sign in to the operators' console.</p>
          </div>
          {accepted === undefined ? null : (
            <Text role="status">Your account is ready. Sign in with your password.</Text>
          )}
          {state && "ended" in state ? (
            <Text role="status">
              {state.ended === "write"
                ? "Your session has ended and your last action was not carried out. Sign in and repeat it."
                : "Your session has ended. Sign in to continue where you were."}
            </Text>
          ) : null}
          {refusal !== null && providerName !== null && !signIn.error ? (
            <ProviderRefusal code={refusal} name={providerName} />
          ) : null}
          {isPasswordOpen ? (
            <>
              <TextInput
                label="User name"
                autoComplete="username"
                autoFocus={accepted === undefined}
                required
                withAsterisk={false}
                value={userName}
                onChange={(event) => setUserName(event.currentTarget.value)}
              />
              <PasswordInput
                label="Password"
                autoComplete="current-password"
                autoFocus={accepted !== undefined}
                required
                withAsterisk={false}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              {signIn.error &&
              !(waitSeconds === 0 && signIn.error instanceof ApiProblem && signIn.error.status === 429) ? (
                <Text role="alert" c="var(--mantine-color-error)">
                  {refusalOf(signIn.error, waitSeconds)}
                </Text>
              ) : null}
              <Button type="submit" fullWidth loading={signIn.isPending} disabled={waitSeconds > 0}>
                Sign in
              </Button>
            </>
          ) : null}
          {providerName === null ? null : (
            <ProviderSignIn
              name={providerName}
              back={back}
              isForced={state !== null && "isSignedOut" in state}
              isPrimary={!isPasswordOpen}
            />
          )}
        </Stack>
      </Form>
    </main>
  );
}

function refusalOf(error: Error, waitSeconds: number): string {
  if (!(error instanceof ApiProblem)) return sentenceOf(error);
  if (error.status === 401) return "User name or password is wrong. Passwords are case-sensitive.";
  if (error.status === 429) return `There were too many attempts. Try again in ${waitSeconds} seconds.`;
  return sentenceOf(error);
}

/** Seconds until the next attempt is allowed; 0 unless the server demands a wait. */
function useCountdown(error: Error | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!(error instanceof ApiProblem) || error.status !== 429) return setSeconds(0);
    setSeconds(error.retryAfter ?? 60);
    const timer = setInterval(() => setSeconds((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return seconds;
}

/** Allows only paths within the console. */
function safeReturn(to: string | null): string {
  return to?.startsWith("/") && !to.startsWith("//") && !to.startsWith("/sign-in") ? to : "/";
}
