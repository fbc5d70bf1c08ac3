// `npm run --silent sbom > crossdock.cdx.json`: what a deployment is made of, as a CycloneDX 1.5 document.
import { makeSbom } from "./supply/sbom.ts";

process.stdout.write(`${JSON.stringify(await makeSbom(), null, 2)}\n`);
