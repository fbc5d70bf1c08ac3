// The bill of materials (CycloneDX 1.5, ECMA-424). npm writes it from package-lock.json. This file removes development
// tools, keeps the packages that the console is built of, and adds licences that npm cannot read.
import { readFileSync } from "node:fs";
import path from "node:path";
import { licenceOf } from "./licences.ts";
import { runNpm } from "./npm.ts";
import { listShipped, readLockFile, root } from "./shipped.ts";

export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
  readonly scope?: string;
}

/** @throws with npm's own message when npm cannot make one */
export async function makeSbom(): Promise<Sbom> {
  const answer = await runNpm(["sbom", "--package-lock-only", "--sbom-format=cyclonedx"]);
  if (answer.code !== 0) throw new Error(`npm sbom failed: ${answer.complaints.trim()}`);
  const whole: Sbom = JSON.parse(answer.output);
  const shipped = new Map(
    listShipped(readLockFile()).map((shippedPackage) => [
      `${shippedPackage.name}@${shippedPackage.version}`,
      shippedPackage,
    ]),
  );
  const components = whole.components.flatMap((component) => {
    const shippedPackage = shipped.get(`${component.name}@${component.version}`);
    if (!shippedPackage) return [];
    const licence = licenceOf(shippedPackage);
    const licenses = component.licenses ?? (licence === undefined ? [] : [licenceEntry(licence)]);
    // The lock file lists the sites' packages as development dependencies, but the sites' scripts contain them.
    const isInScripts = shippedPackage.isInConsole || shippedPackage.isInDocs;
    return [{ ...component, licenses, ...(isInScripts ? { scope: "required" } : {}) }];
  });
  const product = ownComponent(whole.metadata.component);
  const kept = new Set([product["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((dependency) => kept.has(dependency)) }));
  return { ...whole, metadata: { ...whole.metadata, component: product }, components, dependencies };
}

/** npm names the component after its folder; package.json has the real name. */
function ownComponent(component: Component): Component {
  const { name } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { name: string };
  return { ...component, name };
}

function licenceEntry(licence: string): unknown {
  return / (?:AND|OR) /.test(licence) ? { expression: licence } : { license: { id: licence } };
}
