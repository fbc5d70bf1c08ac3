// The package that users install, in packages/client/dist: JavaScript as ES modules and as CommonJS, types, and the command.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureTypes } from "./generate.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const root = path.join(home, "..", "..");

/** @returns the folder of the package, for `npm pack` or `npm publish`. */
export async function buildPackage(dist = path.join(home, "dist")): Promise<string> {
  await ensureTypes();
  rmSync(dist, { recursive: true, force: true });
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const formats = { esm: ["module", "tsconfig.json"], cjs: ["commonjs", "tsconfig.commonjs.json"] } as const;
  for (const [folder, [type, project]] of Object.entries(formats)) {
    const out = path.join(dist, folder);
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, "package.json"), `${JSON.stringify({ type })}\n`);
    const args = ["--project", path.join(home, project), "--outDir", out];
    execFileSync(process.execPath, [tsc, ...args], { stdio: ["ignore", 2, 2] });
  }
  for (const file of ["README.md", path.join("..", "..", "LICENSE")]) {
    cpSync(path.join(home, file), path.join(dist, path.basename(file)));
  }
  writeFileSync(path.join(dist, "package.json"), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  return dist;
}

function manifest(): object {
  const { name, version, description, license } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  const entry = (file: string) => ({
    import: { types: `./esm/${file}.d.ts`, default: `./esm/${file}.js` },
    require: { types: `./cjs/${file}.d.ts`, default: `./cjs/${file}.js` },
  });
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines: { node: ">=20.3" },
    sideEffects: false,
    bin: { "crossdock-client": "esm/cli/main.js" },
    main: "./cjs/index.js",
    types: "./cjs/index.d.ts",
    exports: { ".": entry("index"), "./*": entry("generated/*"), "./package.json": "./package.json" },
  };
}

if (import.meta.main) await buildPackage();
