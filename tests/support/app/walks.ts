// Random walks through a pure function, compared with a model. The seed is printed on a failure.
//
// CROSSDOCK_TEST_STEPS=1000000   steps of each walking test; default a hundred thousand
// CROSSDOCK_TEST_SEED=…          repeats a run
import { seededRandom, testSeed } from "../../faults/load/sender.ts";

const stepsUsual = 100_000;

export interface Walker {
  /** From 0 up to 1. */
  random(): number;
  /** A whole number from `min` up to and with `max`. */
  integer(min: number, max: number): number;
  oneOf<T>(choices: readonly [T, ...T[]]): T;
  /** True with this probability, from 0 to 1. */
  chance(share: number): boolean;
}

/** @param walk runs one walk, and returns its number of steps. @returns the total number of steps. */
export function walkAll(walk: (walker: Walker) => number): number {
  const seed = testSeed();
  const random = seededRandom(seed);
  const integer = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const walker: Walker = {
    random,
    integer,
    oneOf: (choices) => choices[integer(0, choices.length - 1)] as (typeof choices)[0],
    chance: (share) => random() < share,
  };
  const stepsMax = Number(process.env.CROSSDOCK_TEST_STEPS ?? stepsUsual);
  let steps = 0;
  for (let walks = 1; steps < stepsMax; walks++) {
    try {
      steps += walk(walker);
    } catch (error) {
      throw new Error(`walk ${walks} of CROSSDOCK_TEST_SEED=${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  return steps;
}
