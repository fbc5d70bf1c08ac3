import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api.ts";
import { Form, Refusal } from "../parts/form.tsx";
import { answerChallenge, canPasskeys } from "./passkeys.ts";
import { refusalSentence } from "./sentence.ts";

export type Method = "PASSWORD" | "TOTP" | "PASSKEY" | "RECOVERY_CODE";

const words = {
  PASSWORD: { label: "Password", field: "password", other: "Use the password" },
  TOTP: { label: "Code of the authenticator app", field: "code", other: "Use the authenticator app" },
  RECOVERY_CODE: { label: "Recovery code", field: "recoveryCode", other: "Use a recovery code" },
  PASSKEY: { label: "Passkey", field: "passkey", other: "Use a passkey" },
} as const;

interface ProveFormProps {
  /** Methods that this user may use, the best first. */
  readonly methods: readonly Method[];
  /** Origin at which passkeys of this deployment work; null: none. */
  readonly passkeyOrigin: string | null;
  readonly verb: string;
  onProved(): Promise<unknown>;
}

/** Requests one proof of identity: the first method that works here, with links to the others. */
export function ProveForm({ methods, passkeyOrigin, verb, onProved }: ProveFormProps) {
  const usable = methods.filter((method) => method !== "PASSKEY" || canPasskeys(passkeyOrigin));
  const [chosen, setChosen] = useState<Method>();
  const [text, setText] = useState("");
  const method = chosen ?? usable[0];
  const prove = useMutation({
    mutationFn: async () => {
      if (method === undefined) return;
      const proof = method === "PASSKEY" ? await answerChallenge() : text.trim();
      await request("/session/prove", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ [words[method].field]: proof }),
      });
      await onProved();
    },
    onError: () => setText(""),
  });
  const choose = (other: Method) => {
    setChosen(other);
    setText("");
    prove.reset();
  };
  if (method === undefined) {
    return (
      <Text>{`Passkeys of this console work at ${passkeyOrigin ?? "its public address"} only. Open the console there.`}</Text>
    );
  }
  const Input = method === "PASSWORD" ? PasswordInput : TextInput;
  return (
    <Form submit={() => prove.mutate()} aria-label={verb}>
      <Stack>
        {method === "PASSKEY" ? (
          <Text>Your browser asks for the passkey.</Text>
        ) : (
          <Input
            // Remounts the field, so that it is a new one and not the same with another name.
            key={method}
            label={words[method].label}
            required
            withAsterisk={false}
            autoFocus
            {...(method === "TOTP"
              ? { inputMode: "numeric", maxLength: 6, autoComplete: "one-time-code" }
              : { autoComplete: method === "PASSWORD" ? "current-password" : "off" })}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Refusal text={prove.error && refusalSentence(prove.error, words[method].label.toLowerCase())} />
        <Button type="submit" loading={prove.isPending}>
          {method === "PASSKEY" ? "Use passkey" : verb}
        </Button>
        {usable
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="subtle" onClick={() => choose(other)}>
              {words[other].other}
            </Button>
          ))}
      </Stack>
    </Form>
  );
}
