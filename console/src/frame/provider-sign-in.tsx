import { Button, Text } from "@mantine/core";

interface ProviderSignInProps {
  readonly name: string;
  /** Path within the console. */
  readonly back: string;
  /** The provider asks for credentials even if a user is signed in there, who may be another person. */
  readonly isForced: boolean;
  readonly isPrimary: boolean;
}

/** Sign-in at the identity provider. It is a link, because the browser itself navigates there and back. */
export function ProviderSignIn({ name, back, isForced, isPrimary }: ProviderSignInProps) {
  const query = new URLSearchParams({ return: back, ...(isForced ? { prompt: "login" } : {}) });
  return (
    <Button component="a" href={`/console/oidc/begin?${query}`} fullWidth variant={isPrimary ? "filled" : "default"}>
      Sign in with {name}
    </Button>
  );
}

/** The reason why the provider's response opened no session, by the code in the server's redirect. */
export function ProviderRefusal({ code, name }: { readonly code: string; readonly name: string }) {
  return (
    <Text role="alert" c="var(--mantine-color-error)">
      {sentenceOf(code, name)}
    </Text>
  );
}

function sentenceOf(code: string, name: string): string {
  switch (code) {
    case "unavailable":
      return `${name} does not answer. Try again in a minute. If the problem persists, contact an administrator.`;
    case "cancelled":
      return `The sign-in was cancelled at ${name}.`;
    case "no-group":
      return `None of your groups at ${name} has access to this console. Ask an administrator for access.`;
    case "suspended":
      return "The user is suspended. An administrator can resume it.";
    case "stale":
      return "The sign-in timed out or was started in another window. Start it again.";
    case "throttled":
      return "There were too many attempts. Try again in a minute.";
    case "https":
      return "In production, sign-in requires https. Open this page at its https address.";
    default:
      return `The answer of ${name} could not be verified. Start the sign-in again. If the problem persists, contact an administrator.`;
  }
}
