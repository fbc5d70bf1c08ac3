import { Button } from "@mantine/core";
import { counted } from "../../parts/counted.ts";
import { Notice } from "../../parts/notice.tsx";

/** Opens the browser's print dialog, which also makes a PDF. */
export function PrintButton() {
  return (
    <Button variant="default" size="xs" onClick={() => window.print()}>
      Print or save as PDF
    </Button>
  );
}

/** Says that figures are too low, because the job computes them. */
export function Uncomputed({ count = 0 }: { readonly count?: number | undefined }) {
  if (count === 0) return null;
  return (
    <Notice tone="waiting" title="The report is not complete yet">
      {`The figures of ${counted(count, "client is", "clients are")} still being computed, and too low meanwhile.`}
    </Notice>
  );
}

/** Rounded down: 100 % means all of them. Undefined of nothing. */
export function shareText(part: number, whole: number): string | undefined {
  return whole === 0 ? undefined : `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`;
}

export const numberText = (value: number): string => value.toLocaleString("en-GB");
