import { type BuildOutcome, buildSite, preparationOf, type Site } from "#/http/sites/build.ts";

const consoleSite: Site = {
  name: "the console",
  folder: "console",
  // All that the build reads, except the types of the API.
  sources: ["console/{src,public}/**/*", "console/*.{json,html,ts}"],
  tool: {
    name: "Vite",
    file: "node_modules/vite/bin/vite.js",
    args: ["build", "--logLevel", "warn"],
    outVariable: "CROSSDOCK_CONSOLE_OUT",
  },
};

/**
 * Brings `console/dist` up to date with the sources.
 * @param msMax default: two minutes
 */
export const buildConsole = (msMax?: number): Promise<BuildOutcome> => buildSite(consoleSite, undefined, msMax);

export const prepareConsole = preparationOf(consoleSite);
