import { Button } from "@mantine/core";
import { useCopy } from "./clipboard.ts";

interface CopyTextProps {
  readonly text: string;
  readonly verb: string;
  onCopied?(): void;
}

/** Copies a text, and confirms it after the clipboard has accepted it. */
export function CopyText({ text, verb, onCopied }: CopyTextProps) {
  const { isCopied, copy } = useCopy(onCopied);
  return (
    <Button variant="default" size="xs" onClick={() => copy(text)}>
      {isCopied ? "Copied" : verb}
    </Button>
  );
}
