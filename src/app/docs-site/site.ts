import { type BuildOutcome, buildSite, preparationOf, type Site } from "#/http/sites/build.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";

/** A process with one of these serves the documentation. */
export const docsRoles: readonly RoleName[] = ["feeds", "api", "console"];

const docsSite: Site = {
  name: "the documentation",
  folder: "docs-site",
  sources: [
    "CHANGELOG.md",
    "docs/*.md",
    "docs/contract/*.md",
    "docs/images/**/*.svg",
    "docs/quick-start/*.md",
    "docs-site/*.{json,ts}",
    "docs-site/.vitepress/*.ts",
    "docs-site/.vitepress/theme/*",
    "src/kernel/values/nearest-name.ts",
  ],
  tool: {
    name: "VitePress",
    file: "node_modules/vitepress/bin/vitepress.js",
    args: ["build"],
    outVariable: "CROSSDOCK_DOCS_OUT",
  },
};

/** @param msMax default: two minutes */
export const buildDocs = (msMax?: number): Promise<BuildOutcome> => buildSite(docsSite, undefined, msMax);

export const prepareDocs = preparationOf(docsSite);
