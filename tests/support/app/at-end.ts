// Cleans up after a test file in reverse order of creation, completely even if a step fails. When a hook fails,
// node:test skips the later hooks, and the resources that they release keep the file from ending.
import { after } from "node:test";

type Work = () => unknown;

const works: Work[] = [];
const endMsMax = 3_000;

/** Registered on first use, so that a process that only starts the tests has no hooks. */
const runAll = async () => {
  const faults: unknown[] = [];
  for (const work of works.reverse()) {
    try {
      await work();
    } catch (error) {
      faults.push(error);
    }
  }
  // Hooks of the file itself run after this one. Resources that they fail to release must not keep the file from
  // ending. A group of files goes on, and its end is limited too.
  if (faults.length > 0 && process.env.CROSSDOCK_TEST_GROUP === undefined)
    setTimeout(() => process.exit(1), endMsMax).unref();
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, faults.map(String).join("\n"));
};

export function atEnd(work: Work): void {
  if (works.length === 0) after(runAll);
  works.push(work);
}
