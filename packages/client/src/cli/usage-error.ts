/** The command cannot run as it was typed; the message says what to type instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
