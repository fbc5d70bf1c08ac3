// `npm run licences` rewrites docs/licences.md, and fails when a licence is not allowed.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { checkLicences, licencesPage } from "./supply/licences.ts";
import { listShipped, readLockFile, root } from "./supply/shipped.ts";

const packages = listShipped(readLockFile());
const faults = checkLicences(packages);
for (const fault of faults) console.error(fault);
if (faults.length === 0) writeFileSync(path.join(root, "docs/licences.md"), licencesPage(packages));
process.exitCode = faults.length === 0 ? 0 : 1;
