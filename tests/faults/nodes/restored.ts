// The command line beside a restored cluster.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Ran, Site } from "./cluster.ts";

export const secret = "a master key for tests, long enough";
const commandLine = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

/** Runs the command line next to the servers. */
export function crossdock(site: Site, url: string, ...args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [commandLine, ...args], {
    cwd: site.folder,
    env: { PATH: process.env.PATH, DATABASE_URL: url, CROSSDOCK_SECRET: secret, CROSSDOCK_DATA_DIR: site.folder },
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

/** Runs `restore.sh check` on a machine with the command line. */
export function checkRestored(site: Site, url: string, to: string, key: string): Ran {
  const program = path.join(site.folder, "crossdock");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${commandLine}" "$@"\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(path.join(site.folder, "tools", "restore.sh"), ["check", to], {
    cwd: site.folder,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      CROSSDOCK_SECRET: key,
      CROSSDOCK: program,
      CROSSDOCK_DATA_DIR: site.folder,
      BACKUP_DIR: path.join(site.folder, "backups"),
    },
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}
