// A shell with input as a reader types it: one block after the other, each when the previous one has ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { atEnd } from "../support/app/at-end.ts";

export interface Typed {
  /** The text on the screen then, standard output and errors. */
  readonly seen: string;
  /** The exit code of the block's last command. */
  readonly code: number;
}

export interface Shell {
  /** Runs a block to its end. @throws when it takes longer than `msMax`, or the shell has ended */
  type(source: string, msMax?: number): Promise<Typed>;
  end(): Promise<void>;
}

const endOfBlock = "\u0001end of block ";

export function openShell(cwd: string, env: Readonly<Record<string, string | undefined>>): Shell {
  // One pipe for both, so that they keep the order in which they were written.
  const shell = spawn("sh", ["-c", "exec sh 2>&1"], { cwd, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
  const kill = () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  process.once("exit", kill);
  const closed = once(shell, "close");
  const end = async () => {
    kill();
    await closed;
  };
  atEnd(end);
  let seen = "";
  let look = () => {};
  shell.stdin.on("error", () => {});
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen += text;
    look();
  });
  void closed.then(() => look());

  return {
    async type(source, msMax = 300_000) {
      seen = "";
      shell.stdin.write(`${source}\nprintf '\\001end of block %s\\n' "$?"\n`);
      const deadline = Promise.withResolvers<Typed>();
      const timer = setTimeout(
        () => deadline.reject(new Error(`no end within ${msMax} ms of\n${source}\n${seen}`)),
        msMax,
      );
      look = () => {
        const [before, behind] = seen.split(endOfBlock);
        if (behind?.endsWith("\n")) deadline.resolve({ seen: before ?? "", code: Number(behind) });
        else if (shell.exitCode !== null) deadline.reject(new Error(`the shell has ended in\n${source}\n${seen}`));
      };
      look();
      try {
        return await deadline.promise;
      } finally {
        clearTimeout(timer);
        look = () => {};
      }
    },
    end,
  };
}
