// Attacks as data: the attempt, and its expected outcome. Each of the other files here lists attempts, and the state
// that they may not change.
import assert from "node:assert/strict";
import { test } from "node:test";

/** The answer as the attacker sees it. */
export interface Seen {
  readonly status: number;
  readonly text: string;
}

export interface Expected {
  /** One of these statuses. */
  readonly status: number | readonly number[];
  /** The end of the problem's type, such as `scope-forbidden`. */
  readonly type?: string | undefined;
  /** Texts that the answer may not contain. */
  readonly hides?: readonly string[];
  /** Texts that the answer must contain: the attacker keeps access to their own data. */
  readonly shows?: readonly string[];
}

export interface Attempt {
  readonly attempt: string;
  send(): Promise<Seen>;
  readonly expected: Expected;
}

/**
 * Runs one test for each attempt.
 *
 * @param effects returns all state that no attempt may change, in a comparable form.
 */
export function holdAgainst(attempts: readonly Attempt[], effects: () => Promise<unknown>): void {
  for (const { attempt, send, expected } of attempts) {
    test(attempt, async () => {
      const before = await effects();
      const seen = await send();
      check(seen, expected);
      assert.deepEqual(await effects(), before, "it changed something");
    });
  }
}

export function check({ status, text }: Seen, { status: wanted, type, hides = [], shows = [] }: Expected): void {
  const shown = text.slice(0, 500);
  assert.ok(
    [wanted].flat().includes(status),
    `answered ${status} instead of ${[wanted].flat().join(" or ")}: ${shown}`,
  );
  if (type !== undefined) assert.equal((JSON.parse(text) as { type: string }).type, `/problems/${type}`, shown);
  for (const word of hides) assert.ok(!text.includes(word), `contains ${word}: ${text}`);
  for (const word of shows) assert.ok(text.includes(word), `does not show ${word}: ${shown}`);
}
