/** Throws when an invariant of the program is violated; never used for errors that a sender can cause. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}
