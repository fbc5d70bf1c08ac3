// Loaded into the program before it: its time is wrong by as many milliseconds as the file SHIFTED_CLOCK_FILE says, in every
// thread, from the start on and within 50 ms of a change.
import { readFileSync, statSync } from "node:fs";

const file = process.env.SHIFTED_CLOCK_FILE;
const SystemDate = Date;
let aheadMs = 0;
let readAtMs = -1;

function look() {
  try {
    const { mtimeMs } = statSync(file);
    if (mtimeMs === readAtMs) return;
    readAtMs = mtimeMs;
    aheadMs = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    aheadMs = 0;
  }
}

if (file !== undefined) {
  look();
  setInterval(look, 50).unref();
  globalThis.Date = class extends SystemDate {
    constructor(...parts) {
      if (parts.length === 0) super(SystemDate.now() + aheadMs);
      else super(...parts);
    }

    static now() {
      return SystemDate.now() + aheadMs;
    }
  };
}
