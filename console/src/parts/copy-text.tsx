import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useEffect, useRef } from "react";

interface CopyTextProps {
  readonly text: string;
  readonly verb: string;
  onCopied(): void;
}

/** Copies a text, and confirms it after the clipboard has accepted it. */
export function CopyText({ text, verb, onCopied }: CopyTextProps) {
  const { copied, copy } = useClipboard();
  const latestOnCopied = useRef(onCopied);
  latestOnCopied.current = onCopied;
  // The browser may deny access to the clipboard, so only a successful copy counts.
  useEffect(() => {
    if (copied) latestOnCopied.current();
  }, [copied]);
  return (
    <Button variant="default" size="xs" onClick={() => copy(text)}>
      {copied ? "Copied" : verb}
    </Button>
  );
}
