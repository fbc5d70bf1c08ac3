import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useEffect, useRef } from "react";

interface CopyTextProps {
  readonly text: string;
  readonly verb: string;
  onCopied(): void;
}

/** Copies a text, and says so once the clipboard has it. */
export function CopyText({ text, verb, onCopied }: CopyTextProps) {
  const { copied, copy } = useClipboard();
  const latestOnCopied = useRef(onCopied);
  latestOnCopied.current = onCopied;
  // The browser may refuse the clipboard: only what it has taken counts.
  useEffect(() => {
    if (copied) latestOnCopied.current();
  }, [copied]);
  return (
    <Button variant="default" size="xs" onClick={() => copy(text)}>
      {copied ? "Copied" : verb}
    </Button>
  );
}
