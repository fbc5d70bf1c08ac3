import { Text } from "@mantine/core";
import type { ReactNode } from "react";

interface FormProps {
  submit(): void;
  readonly className?: string | undefined;
  readonly "aria-label"?: string;
  readonly children: ReactNode;
}

/** A form that the page itself sends. */
export function Form({ submit, className, "aria-label": label, children }: FormProps) {
  return (
    <form
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
    </form>
  );
}

/** Announces the reason why something was refused. */
export function Refusal({ text }: { readonly text: string | false | null | undefined }) {
  if (!text) return null;
  return (
    <Text role="alert" c="var(--mantine-color-error)">
      {text}
    </Text>
  );
}
