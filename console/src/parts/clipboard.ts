import { useState } from "react";
import { notifyFailed } from "./actions/notify.ts";

const copiedMs = 2_000;

interface Copying {
  /** For two seconds after each copy. */
  readonly isCopied: boolean;
  copy(text: string): void;
}

/** Copies texts, and reports when the browser refuses. */
export function useCopy(onCopied: () => void = () => undefined): Copying {
  const [isCopied, setCopied] = useState(false);
  const confirm = () => {
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
    onCopied();
  };
  const refuse = (error: unknown) => notifyFailed("Not copied", error);
  return { isCopied, copy: (text) => void copyText(text).then(confirm, refuse) };
}

/** Browsers have no clipboard API without https, and may deny access to it; the older command still works there. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text);
  }
}

function copySelected(text: string): void {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("The browser refused access to the clipboard. Select the text and copy it.");
}
