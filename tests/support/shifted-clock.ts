// Loaded before a program (`--import`): its clock is wrong by the milliseconds that a file holds, from one moment to the next.
import { readFileSync } from "node:fs";

const file = process.env.SHIFTED_CLOCK_FILE as string;
let shiftMs = 0;
const look = () => {
  shiftMs = Number(readFileSync(file, "utf8"));
};
look();
setInterval(look, 50).unref();

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + shiftMs] : given) as [number]));
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
} as DateConstructor;
