// What a test file leaves behind is put away in the reverse order of its making, all of it whatever fails: a hook that fails
// keeps node:test from running those behind it, and what they would have stopped keeps the file from ending.
import { after } from "node:test";

type Work = () => unknown;

const works: Work[] = [];
const endMsMax = 3_000;

/** Asked for by the first who needs it: whoever only starts the tests has no hooks. */
const runAll = async () => {
  const faults: unknown[] = [];
  for (const work of works.reverse()) {
    try {
      await work();
    } catch (error) {
      faults.push(error);
    }
  }
  // Hooks of the file itself come behind this one, and what they do not stop any more must not keep the file from ending.
  if (faults.length > 0) setTimeout(() => process.exit(1), endMsMax).unref();
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, faults.map(String).join("\n"));
};

export function atEnd(work: Work): void {
  if (works.length === 0) after(runAll);
  works.push(work);
}
