import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "#operator";
import { api } from "../api.ts";
import { Form, Refusal } from "../parts/form.tsx";
import { Problem } from "../parts/loading/problem.tsx";
import { BoxSkeleton } from "../parts/loading/skeletons.tsx";
import styles from "./account.module.css";
import { refusalSentence } from "./sentence.ts";

export type Enrolled = components["schemas"]["Enrolled"];

const quietModules = 4;

/** Sets up an authenticator app: QR code and secret, then its first code. */
export function EnrolApp({ onEnrolled }: { onEnrolled(enrolment: Enrolled): void }) {
  const begun = useQuery({
    queryKey: ["new-totp"],
    queryFn: () => api.POST("/factor/beginTotp"),
    // A new secret per enrolment, unchanged until the enrolment ends.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: (setup: string) => api.POST("/factor/confirmTotp", { body: { setup, code: code.trim() } }),
    onSuccess: onEnrolled,
    onError: () => setCode(""),
  });
  if (begun.error) return <Problem error={begun.error} what="The secret" retry={() => void begun.refetch()} />;
  if (!begun.data) return <BoxSkeleton height={360} />;
  const { setup, secret, qrCode } = begun.data;
  const side = qrCode.size + 2 * quietModules;
  return (
    <Form submit={() => confirm.mutate(setup)} aria-label="Set up an authenticator app">
      <Stack>
        <Text>Scan the code with an authenticator app, or type the secret into it.</Text>
        <svg
          className={styles.qr}
          viewBox={`${-quietModules} ${-quietModules} ${side} ${side}`}
          role="img"
          aria-label="QR code of the secret"
          shapeRendering="crispEdges"
        >
          <rect x={-quietModules} y={-quietModules} width={side} height={side} fill="#ffffff" />
          <path d={qrCode.path} fill="#000000" />
        </svg>
        <code className={styles.secret}>{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
        <TextInput
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Refusal text={confirm.error && refusalSentence(confirm.error, "code")} />
        <Button type="submit" loading={confirm.isPending}>
          Enrol the app
        </Button>
      </Stack>
    </Form>
  );
}
