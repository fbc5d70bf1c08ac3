import { hashPassword, isPasswordOf, makePassword } from "#/kernel/password.ts";

/** Compares passwords with hashes, a few at a time: each costs 20 MiB and 30 ms of a processor. */
export interface PasswordChecks {
  /**
   * @param stored none where nobody has a password to compare with: that costs as much, and is never right.
   * @returns undefined where too many wait already.
   */
  check(password: string, stored: string | undefined): Promise<boolean | undefined>;
}

const atATimeMax = 2;
const waitingMax = 100;
/** RFC 4252 sets no bound; nobody types more. */
const passwordBytesMax = 1_024;

export async function createPasswordChecks(): Promise<PasswordChecks> {
  const nobodys = await hashPassword(makePassword());
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function takeTurn(): Promise<boolean> {
    if (underWay < atATimeMax) {
      underWay++;
      return true;
    }
    if (waiting.length >= waitingMax) return false;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return true;
  }

  function passOn(): void {
    const next = waiting.shift();
    if (next === undefined) underWay--;
    else next();
  }

  return {
    async check(password, stored) {
      if (!(await takeTurn())) return undefined;
      try {
        const isRight = await isPasswordOf(password.slice(0, passwordBytesMax), stored ?? nobodys);
        return isRight && stored !== undefined && password.length <= passwordBytesMax;
      } finally {
        passOn();
      }
    },
  };
}
