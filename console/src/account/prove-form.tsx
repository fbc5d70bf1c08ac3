import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { request } from "../api.ts";
import { answerChallenge, canPasskeys } from "./passkeys.ts";
import { refusalSentence } from "./sentence.ts";

export type Way = "PASSWORD" | "TOTP" | "PASSKEY" | "RECOVERY_CODE";

const words = {
  PASSWORD: { label: "Password", field: "password", other: "Use the password" },
  TOTP: { label: "Code of the authenticator app", field: "code", other: "Use the authenticator app" },
  RECOVERY_CODE: { label: "Recovery code", field: "recoveryCode", other: "Use a recovery code" },
  PASSKEY: { label: "Passkey", field: "passkey", other: "Use a passkey" },
} as const;

interface ProveFormProps {
  /** Methods that this user may use, the best first. */
  readonly ways: readonly Way[];
  /** Origin at which passkeys of this deployment work; null: none. */
  readonly passkeyOrigin: string | null;
  readonly verb: string;
  onProved(): Promise<unknown>;
}

/** Requests one proof of identity: the first method that works here, with links to the others. */
export function ProveForm({ ways, passkeyOrigin, verb, onProved }: ProveFormProps) {
  const usable = ways.filter((way) => way !== "PASSKEY" || canPasskeys(passkeyOrigin));
  const [chosen, setChosen] = useState<Way>();
  const [text, setText] = useState("");
  const way = chosen ?? usable[0];
  const prove = useMutation({
    mutationFn: async () => {
      if (way === undefined) return;
      const given = way === "PASSKEY" ? await answerChallenge() : text.trim();
      await request("/session/prove", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ [words[way].field]: given }),
      });
      await onProved();
    },
    onError: () => setText(""),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate();
  };
  const choose = (other: Way) => {
    setChosen(other);
    setText("");
    prove.reset();
  };
  if (way === undefined) {
    return (
      <Text>{`Passkeys of this console work at ${passkeyOrigin ?? "its public address"} only. Open the console there.`}</Text>
    );
  }
  const Input = way === "PASSWORD" ? PasswordInput : TextInput;
  return (
    <form onSubmit={submit} aria-label={verb}>
      <Stack>
        {way === "PASSKEY" ? (
          <Text>Your browser asks for the passkey.</Text>
        ) : (
          <Input
            // Remounts the field, so that it is a new one and not the same with another name.
            key={way}
            label={words[way].label}
            required
            withAsterisk={false}
            autoFocus
            {...(way === "TOTP"
              ? { inputMode: "numeric", maxLength: 6, autoComplete: "one-time-code" }
              : { autoComplete: way === "PASSWORD" ? "current-password" : "off" })}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {prove.error ? (
          <Text role="alert" c="var(--mantine-color-error)">
            {refusalSentence(prove.error, words[way].label.toLowerCase())}
          </Text>
        ) : null}
        <Button type="submit" loading={prove.isPending}>
          {way === "PASSKEY" ? "Use passkey" : verb}
        </Button>
        {usable
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="subtle" onClick={() => choose(other)}>
              {words[other].other}
            </Button>
          ))}
      </Stack>
    </form>
  );
}
