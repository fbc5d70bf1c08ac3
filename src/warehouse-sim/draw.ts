import { createHash } from "node:crypto";

/**
 * A random number from 0 up to 1 that depends on nothing but its arguments: the same seed lets the same thing happen to
 * the same object, in whatever order the objects come, and after a restart.
 */
export function draw(seed: string, ...of: readonly (string | number)[]): number {
  // 48 bits: more than any rate distinguishes, and exact in a double.
  return (
    createHash("sha256")
      .update(JSON.stringify([seed, ...of]))
      .digest()
      .readUIntBE(0, 6) /
    2 ** 48
  );
}

/** A name for a report that another try at the same thing has too, and nothing else. */
export function reportName(action: string, ...of: readonly unknown[]): string {
  return `sim-${action}-${createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 20)}`;
}
