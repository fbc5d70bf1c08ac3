import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { components } from "#operator";
import { setCsrfToken } from "../api.ts";
import { EnrolApp, type Enrolled } from "./enrol-app.tsx";
import { EnrolPasskey } from "./enrol-passkey.tsx";
import { canPasskeys } from "./passkeys.ts";
import { ProveForm } from "./prove-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Step = components["schemas"]["SignInProgress"];

interface SecondStepProps {
  readonly step: Step;
  /** Called when the session is open. */
  onDone(): Promise<unknown>;
  /** Returns to name and password. */
  onBack(): void;
}

/** The second step of the sign-in page: the second factor, or its enrolment. */
export function SecondStep({ step, onDone, onBack }: SecondStepProps) {
  setCsrfToken(step.csrfToken);
  return (
    <Stack>
      {step.step === "ENROLMENT" ? (
        <Enrolment origin={step.passkeyOrigin} onDone={onDone} />
      ) : (
        <ProveForm methods={step.methods} passkeyOrigin={step.passkeyOrigin} verb="Continue" onProved={onDone} />
      )}
      <Button variant="subtle" color="gray" onClick={onBack}>
        Sign in as another user
      </Button>
    </Stack>
  );
}

function Enrolment({ origin, onDone }: { readonly origin: string | null; onDone(): Promise<unknown> }) {
  const [enrolled, setEnrolled] = useState<Enrolled>();
  const [isKept, setKept] = useState(false);
  const [isPasskey, setPasskey] = useState(false);
  if (enrolled) {
    return (
      <>
        <Text role="status">The second factor is set up. These are your recovery codes.</Text>
        <RecoveryCodes codes={enrolled.recoveryCodes ?? []} onKept={() => setKept(true)} />
        <Button disabled={!isKept} onClick={() => void onDone()}>
          Go on
        </Button>
      </>
    );
  }
  const done = (enrolment: Enrolled) => {
    setCsrfToken(enrolment.session?.csrfToken ?? "");
    setEnrolled(enrolment);
  };
  return (
    <>
      <Text role="status">Your role requires a second factor. Set one up to continue.</Text>
      {isPasskey ? <EnrolPasskey onEnrolled={done} /> : <EnrolApp onEnrolled={done} />}
      {canPasskeys(origin) ? (
        <Button variant="subtle" onClick={() => setPasskey(!isPasskey)}>
          {isPasskey ? "Use an authenticator app" : "Use a passkey"}
        </Button>
      ) : null}
    </>
  );
}
