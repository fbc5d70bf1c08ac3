#!/usr/bin/env node
// `npx crossdock …`: the command line of contract/operations.md §2 under the pinned Node.
import { run } from "./run.mjs";

await run(["src/cli/main.ts", ...process.argv.slice(2)]);
