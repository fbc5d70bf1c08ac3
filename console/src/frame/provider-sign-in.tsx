import { Button, Text } from "@mantine/core";

interface ProviderSignInProps {
  readonly name: string;
  /** Path within the console. */
  readonly back: string;
  /** The provider asks for credentials even if a user is signed in there, who may be another person. */
  readonly isAgain: boolean;
  readonly isPrimary: boolean;
}

/** Sign-in at the identity provider. It is a link, because the browser itself navigates there and back. */
export function ProviderSignIn({ name, back, isAgain, isPrimary }: ProviderSignInProps) {
  const query = new URLSearchParams({ return: back, ...(isAgain ? { prompt: "login" } : {}) });
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
      return `${name} does not answer. Try again in a minute; if it stays so, tell an administrator.`;
    case "cancelled":
      return `The sign-in was ended at ${name}.`;
    case "no-group":
      return `None of your groups at ${name} may use this console. Ask an administrator for one that may.`;
    case "suspended":
      return "The user is suspended. An administrator can let the user in again.";
    case "stale":
      return "The sign-in took too long or was begun in another window. Begin it again.";
    case "throttled":
      return "There were too many attempts. Try again in a minute.";
    case "https":
      return "In production signing in takes https. Open this page by its https address.";
    default:
      return `The answer of ${name} could not be verified. Begin the sign-in again; if it stays so, tell an administrator.`;
  }
}
