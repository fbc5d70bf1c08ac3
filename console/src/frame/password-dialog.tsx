import { Button, Group, Modal, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api.ts";
import { notifyDone } from "../parts/actions/notify.ts";
import { Form, Refusal } from "../parts/form.tsx";
import { sentenceOf } from "../parts/loading/problem.tsx";

interface PasswordDialogProps {
  readonly isOpen: boolean;
  close(): void;
}

/** Changes the user's password. */
export function PasswordDialog({ isOpen, close }: PasswordDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Change password">
      {isOpen ? <PasswordForm close={close} /> : null}
    </Modal>
  );
}

function PasswordForm({ close }: { close(): void }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    mutationFn: () =>
      request("/session/changePassword", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ currentPassword: current, newPassword: next }),
      }),
    onSuccess: () => {
      notifyDone("Your password was changed. Your other sessions have ended.");
      close();
    },
  });
  return (
    <Form submit={() => change.mutate()}>
      <Stack>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="At least 12 characters."
          autoComplete="new-password"
          required
          minLength={12}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <Refusal text={change.error && sentenceOf(change.error)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
