import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { benchSkus, catalogue, order, orderTemplate } from "./feeds/documents.ts";
import { machine, median, temporaryFolder, usage } from "./feeds/machine.ts";
import type { ClientJob, ClientResult } from "./sftp/client.ts";
import { type FileServer, makeKey, startOpenSsh, startProduct } from "./sftp/servers.ts";

const goal = 0.5;
/** Files for each run of OpenSSH's sftp, by the number of sessions. */
const programFiles = { 1: 1_000, 8: 300 } as const;

/**
 * Measures how fast files are uploaded by SFTP. The peer is OpenSSH's own server, which only stores them. The files are
 * orders of 4 KB through one session and through eight, and a catalogue of almost 20 MiB. The same client program
 * uploads to both servers in turn; OpenSSH's sftp repeats the measurement as a check. fsync of PostgreSQL is on; sshd
 * leaves its files to the operating system.
 */
export async function run(args: readonly string[]): Promise<void> {
  const plan = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("sftp");
  const key = makeKey(folder, "key");
  const postgres = await startEmbedded({ dataDir: temporaryFolder("postgres") });
  const servers: FileServer[] = [];
  try {
    const product = await startProduct(postgres.url, key, plan.profileFolder);
    servers.push(product);
    const openSsh = await startOpenSsh(folder, key);
    if (openSsh) servers.push(openSsh);
    else console.log("LEFT OUT: sshd is not installed (Debian: apt-get install openssh-server); no ratios");
    const world: World = { product, openSsh, folder, ...plan };
    await runClient(product, 1, { file: writeCatalogue(world, "first", benchSkus, "SKU-"), name: "first.xml" }, "CAT");
    await runClient(product, 8, { seconds: 2, prefix: "W" });
    const asks = (question: string) => plan.only === undefined || plan.only === question;
    if (asks("orders")) for (const sessions of [1, 8]) await measureOrders(world, sessions);
    if (asks("program")) await measureProgram(world);
    if (asks("catalogue")) await measureCatalogue(world);
    const { cpuSeconds, peakMiB } = usage(product.pid);
    console.log(`product: ${cpuSeconds.toFixed(1)} s of a processor, ${peakMiB.toFixed(0)} MiB at its peak`);
    const { documents, accepted } = await countDocuments(postgres.url);
    console.log(`product: ${documents} documents processed, ${accepted} accepted`);
    if (accepted !== documents) throw new Error("not every file was accepted");
  } finally {
    for (const server of servers) await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly items: number;
  readonly profileFolder: string | undefined;
  /** The only bench to run: orders, program or catalogue. */
  readonly only: string | undefined;
}

interface World extends Plan {
  readonly product: FileServer;
  readonly openSsh: FileServer | undefined;
  readonly folder: string;
}

function readArguments(args: readonly string[]): Plan {
  const value = (name: string) => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  return {
    rounds: Number(value("rounds") ?? 3),
    seconds: Number(value("seconds") ?? 5),
    items: Number(value("items") ?? 50_000),
    profileFolder: value("profile"),
    only: value("only"),
  };
}

async function measureOrders(world: World, sessions: number): Promise<void> {
  const name = sessions === 1 ? "one session" : `${sessions} sessions`;
  const results = await inTurn(world, (server, round) =>
    runClient(server, sessions, { seconds: world.seconds, prefix: `S${sessions}R${round}` }),
  );
  tell(`orders, ${name}`, "files/s", results, ({ files, seconds }) => files / seconds, 0);
  for (const who of ["product", "sshd"] as const) {
    const all = results[who];
    if (all.length === 0) continue;
    const [p50, p99] = [median(all.map(({ p50 }) => p50)), median(all.map(({ p99 }) => p99))];
    console.log(`orders, ${name}: ${who} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms a file`);
  }
}

/**
 * Measures OpenSSH's sftp itself, minus the time of a run without files, which is mostly the log-in. With `-f` it
 * requests that each file is synchronised to the disk. The product does so in any case, sshd only on this request.
 */
async function measureProgram(world: World): Promise<void> {
  if (spawnSync("sftp", ["-h"]).error) {
    console.log("LEFT OUT: sftp is not installed (Debian: apt-get install openssh-client)");
    return;
  }
  const template = orderTemplate();
  for (const sessions of [1, 8] as const) {
    for (const put of ["put", "put -f"]) {
      const files = programFiles[sessions];
      const results = await inTurn(world, async (server, round) => {
        const batches = Array.from({ length: sessions }, (_, n) => {
          const name = `P${sessions}${put.length}R${round}N${n}`;
          const local = path.join(world.folder, `local-${name}`);
          mkdirSync(local, { recursive: true });
          for (let i = 0; i < files; i++) {
            writeFileSync(path.join(local, `${name}-${i}.xml`), order(template, `${name}-${i}`, Math.random()));
          }
          return `${put} ${local}/*.xml ${server.folderOf("NO")}/`;
        });
        const idle = Array(sessions).fill("pwd") as string[];
        const idleMs = Math.min(await runProgram(server, idle), await runProgram(server, idle));
        const ms = await runProgram(server, batches);
        return { files: sessions * files, seconds: (ms - idleMs) / 1_000 };
      });
      const name = `orders, ${sessions} × sftp -b with '${put}'`;
      tell(name, "files/s", results, ({ files, seconds }) => files / seconds, 0);
    }
  }
}

async function measureCatalogue(world: World): Promise<void> {
  let megabytes = 0;
  const results = await inTurn(world, (server, round) => {
    const file = writeCatalogue(world, `round-${round}`, world.items, `R${round}-`);
    megabytes = catalogueBytes / 1e6;
    return runClient(server, 1, { file, name: `catalogue-${round}.xml` }, "CAT");
  });
  tell(`catalogue of ${megabytes.toFixed(1)} MB`, "MB/s", results, ({ seconds }) => megabytes / seconds, 1);
}

interface Results<Result> {
  readonly product: readonly Result[];
  readonly sshd: readonly Result[];
}

async function inTurn<Result>(
  { product, openSsh, rounds }: World,
  ask: (server: FileServer, round: number) => Promise<Result>,
): Promise<Results<Result>> {
  const results = { product: [] as Result[], sshd: [] as Result[] };
  for (let round = 0; round < rounds; round++) {
    if (openSsh) results.sshd.push(await ask(openSsh, round));
    results.product.push(await ask(product, round));
  }
  return results;
}

function tell<Result>(
  what: string,
  unit: string,
  { product, sshd }: Results<Result>,
  rateOf: (result: Result) => number,
  digits: number,
): void {
  const ours = product.map(rateOf);
  const theirs = sshd.map(rateOf);
  const shown = (rates: readonly number[]) => rates.map((rate) => rate.toFixed(digits)).join(" ");
  const figures = [`product ${shown(ours)} ${unit}`, theirs.length > 0 ? `sshd ${shown(theirs)} ${unit}` : undefined];
  console.log(`${what}: ${figures.filter((figure) => figure !== undefined).join(", ")}`);
  if (theirs.length === 0) return;
  const ratios = ours.map((rate, i) => rate / (theirs[i] as number));
  const verdict = median(ratios) >= goal ? "held" : "MISSED";
  console.log(
    `${what}: ratio ${median(ratios).toFixed(2)} (goal ≥ ${goal}: ${verdict}), by round ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}`,
  );
}

let catalogueBytes = 0;

/** The largest file that the product takes. */
const catalogueBytesMax = 20 * 1024 * 1024;

/** Writes a catalogue with this number of items, as near to the largest as longer names of its items allow. */
function writeCatalogue({ folder }: World, name: string, items: number, prefix: string): string {
  const file = path.join(folder, `${name}.xml`);
  const short = catalogue(items, prefix);
  const filler = "hand-thrown in Porto ";
  const repeats = Math.floor((catalogueBytesMax - Buffer.byteLength(short)) / (items * filler.length));
  const text = short.replaceAll(", glazed<", `, ${filler.repeat(Math.max(repeats, 0))}glazed<`);
  writeFileSync(file, text);
  catalogueBytes = Buffer.byteLength(text);
  return file;
}

async function runClient(
  server: FileServer,
  sessions: number,
  work: ClientJob["work"],
  type: "NO" | "CAT" = "NO",
): Promise<ClientResult> {
  const { port, username, keyFile } = server;
  const job: ClientJob = { port, username, keyFile, folder: server.folderOf(type), sessions, work };
  const file = fileURLToPath(new URL("./sftp/client.ts", import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(job)], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`the client ended with ${code}`);
  return JSON.parse(out) as ClientResult;
}

/** Runs the given number of OpenSSH sftp processes at once. @returns milliseconds until all have ended */
async function runProgram(server: FileServer, batches: readonly string[]): Promise<number> {
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR"];
  const args = ["-i", server.keyFile, "-P", String(server.port), ...options.flatMap((option) => ["-o", option])];
  const beganMs = performance.now();
  await Promise.all(
    batches.map(async (batch) => {
      const child = spawn("sftp", [...args, "-b", "-", `${server.username}@127.0.0.1`], {
        stdio: ["pipe", "ignore", "inherit"],
      });
      child.stdin.end(`${batch}\n`);
      const code = await new Promise((resolve) => child.on("close", resolve));
      if (code !== 0) throw new Error(`sftp ended with ${code}`);
    }),
  );
  return performance.now() - beganMs;
}

async function countDocuments(url: string): Promise<{ documents: number; accepted: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const text = `select count(*)::int as documents, count(*) filter (where state in ('ACCEPTED', 'PROCESSED'))::int as accepted
      from feed_document`;
    return (
      (await client.query<{ documents: number; accepted: number }>(text)).rows[0] ?? { documents: 0, accepted: -1 }
    );
  } finally {
    await client.end();
  }
}
