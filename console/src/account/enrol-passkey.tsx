import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { Form, Refusal } from "../parts/form.tsx";
import type { Enrolled } from "./enrol-app.tsx";
import { makePasskey } from "./passkeys.ts";
import { refusalSentence } from "./sentence.ts";

/** Creates a passkey in the browser, under a name chosen by the user. */
export function EnrolPasskey({ onEnrolled }: { onEnrolled(enrolment: Enrolled): void }) {
  const [name, setName] = useState("");
  const add = useMutation({
    mutationFn: async () => {
      const credential = await makePasskey();
      return api.POST("/factor/confirmPasskey", { body: { name: name.trim(), credential } });
    },
    onSuccess: onEnrolled,
  });
  return (
    <Form submit={() => add.mutate()} aria-label="Add a passkey">
      <Stack>
        <TextInput
          label="Name of the passkey"
          description="For example, the device that holds it."
          maxLength={64}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Refusal text={add.error && refusalSentence(add.error, "passkey")} />
        <Button type="submit" loading={add.isPending}>
          Add passkey
        </Button>
      </Stack>
    </Form>
  );
}
