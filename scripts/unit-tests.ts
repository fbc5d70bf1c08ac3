// Runs the test files of CROSSDOCK_TEST_UNITS in this process. scripts/test.ts sets it.
import path from "node:path";
import { before } from "node:test";
import { pathToFileURL } from "node:url";

const imported = Promise.withResolvers<void>();
// An import takes the processor from a test that measures time, so the tests begin after the last one.
before(() => imported.promise);

for (const file of (process.env.CROSSDOCK_TEST_UNITS ?? "").split(path.delimiter)) {
  if (file !== "") await import(pathToFileURL(file).href);
}
imported.resolve();
