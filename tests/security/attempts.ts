// Attacks as data: what somebody tries, and how it has to end. Each file beside this one is a list of them and of what they may
// not change.
import assert from "node:assert/strict";
import { test } from "node:test";

/** What an attacker sees of the answer. */
export interface Seen {
  readonly status: number;
  readonly text: string;
}

export interface Expected {
  /** One of these. */
  readonly status: number | readonly number[];
  /** The end of the problem's type, such as `scope-forbidden`. */
  readonly type?: string | undefined;
  /** Texts that the answer may not contain. */
  readonly hides?: readonly string[];
  /** Texts that it has to contain: what is the attacker's stays open. */
  readonly shows?: readonly string[];
}

export interface Attempt {
  readonly attempt: string;
  send(): Promise<Seen>;
  readonly expected: Expected;
}

/**
 * A test of each attempt.
 *
 * @param effects everything that no attempt may change, in a form that can be compared.
 */
export function holdAgainst(attempts: readonly Attempt[], effects: () => Promise<unknown>): void {
  for (const { attempt, send, expected } of attempts) {
    test(attempt, async () => {
      const before = await effects();
      const seen = await send();
      judge(seen, expected);
      assert.deepEqual(await effects(), before, "it changed something");
    });
  }
}

export function judge({ status, text }: Seen, { status: wanted, type, hides = [], shows = [] }: Expected): void {
  const shown = text.slice(0, 500);
  assert.ok(
    [wanted].flat().includes(status),
    `answered ${status} instead of ${[wanted].flat().join(" or ")}: ${shown}`,
  );
  if (type !== undefined) assert.equal((JSON.parse(text) as { type: string }).type, `/problems/${type}`, shown);
  for (const word of hides) assert.ok(!text.includes(word), `tells of ${word}: ${text}`);
  for (const word of shows) assert.ok(text.includes(word), `does not show ${word}: ${shown}`);
}
