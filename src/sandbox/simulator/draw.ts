import { createHash } from "node:crypto";

/**
 * A random number from 0 up to 1 that depends only on its arguments. With the same seed, the same object always gets
 * the same result, in any order of the objects and after a restart.
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

/** A report name that is the same for each retry of the same report, and unique otherwise. */
export function reportName(action: string, ...of: readonly unknown[]): string {
  return `sim-${action}-${createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 20)}`;
}
