// Runs the test files of its arguments one after the other in this process. scripts/test.ts starts it.
import { registerHooks } from "node:module";
import path from "node:path";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";

const root = pathToFileURL(path.join(import.meta.dirname, "..", path.sep)).href;
const program = `${root}src/`;
/** A process that lives longer after its last file fails: a file has left something open. */
const endMsMax = 60_000;
const files = process.argv.splice(2);
let fileNumber = 0;

process.env.CROSSDOCK_TEST_GROUP = "1";

// The files share the modules of the program and its packages. Each has its own instances of the tests' modules, which
// hold servers and databases of one file.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { url } = resolved;
    const isShared = !url.startsWith(root) || url.startsWith(program) || url.includes("/node_modules/");
    return isShared || !url.endsWith(".ts") ? resolved : { ...resolved, url: `${url}?file=${fileNumber}` };
  },
});

for (const file of files) {
  fileNumber++;
  const startedMs = performance.now();
  const ended = Promise.withResolvers<void>();
  // The hooks at the top of the file become those of its suite.
  describe(file, async () => {
    try {
      await import(pathToFileURL(file).href);
    } finally {
      after((context) => {
        context.diagnostic(`TOOK ${Math.round(performance.now() - startedMs)} ms: ${file}`);
        ended.resolve();
      });
    }
  });
  await ended.promise;
}

setTimeout(() => {
  console.error(`still open after the last file: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(1);
}, endMsMax).unref();
