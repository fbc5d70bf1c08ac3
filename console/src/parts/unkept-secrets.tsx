import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBeforeUnload, useBlocker } from "react-router";

interface UnkeptSecretsProps {
  /** Whether the secrets were copied. */
  readonly areKept: boolean;
}

const signInPath = "/sign-in";
const tabOf = (search: string) => new URLSearchParams(search).get("tab");

/**
 * Asks for confirmation before the user leaves secrets that are shown only once. On unload of the page, the browser
 * asks.
 */
export function UnkeptSecrets({ areKept }: UnkeptSecretsProps) {
  // The router has one blocker, and a page several boxes of secrets.
  return areKept ? null : <LeaveQuestion />;
}

function LeaveQuestion() {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => {
    // After the end of the session, the page shows nothing more, whatever the user decides.
    if (to.pathname === signInPath) return false;
    // Filters of the top bar and of lists do not hide the content.
    return from.pathname !== to.pathname || tabOf(from.search) !== tabOf(to.search);
  });
  useBeforeUnload((event) => {
    event.preventDefault();
  });
  return (
    <Modal
      opened={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title="Leave without the credentials?"
    >
      <Stack gap="md">
        <Text>They were not copied and are shown only now. If you lose them, you must issue new ones.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" size="xs" onClick={() => blocker.reset?.()} data-autofocus>
            Stay
          </Button>
          <Button variant="default" size="xs" c="var(--tone-failed)" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
