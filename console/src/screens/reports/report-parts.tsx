import { Button } from "@mantine/core";

/** Opens the browser's print dialog, which also makes a PDF. */
export function PrintButton() {
  return (
    <Button variant="default" size="xs" onClick={() => window.print()}>
      Print or save as PDF
    </Button>
  );
}

/** Rounded down: 100 % means all of them. Undefined of nothing. */
export function shareText(part: number, whole: number): string | undefined {
  return whole === 0 ? undefined : `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`;
}

export const numberText = (value: number): string => value.toLocaleString("en-GB");
