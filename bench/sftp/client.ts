// The load generator, a separate process, which uploads files to both servers in the same way: `client.ts JOB`, where
// JOB is a `ClientJob`. It prints a `ClientResult`.
import { readFileSync } from "node:fs";
import ssh2, { type SFTPWrapper } from "ssh2";
import { order, orderTemplate } from "../feeds/documents.ts";

export interface ClientJob {
  readonly port: number;
  readonly username: string;
  readonly keyFile: string;
  readonly folder: string;
  readonly sessions: number;
  /** Orders, each a new one, for the given number of seconds; or one file. */
  readonly work:
    | { readonly seconds: number; readonly prefix: string }
    | { readonly file: string; readonly name: string };
}

export interface ClientResult {
  readonly files: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

/** The same as OpenSSH's client: parts of 32 KiB, 64 of them unanswered at a time. */
const partBytes = 32 * 1024;
const partsInFlight = 64;

async function open(job: ClientJob): Promise<SFTPWrapper> {
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client.on("ready", resolve).on("error", reject);
    client.connect({
      host: "127.0.0.1",
      port: job.port,
      username: job.username,
      privateKey: readFileSync(job.keyFile),
      // The cipher that OpenSSH's programs negotiate with such servers; the same for both.
      algorithms: { cipher: ["aes128-gcm@openssh.com"] },
    });
  });
  // ssh2 writes a packet in pieces: without this, the second piece waits 40 ms for the acknowledgement of the first.
  client.setNoDelay();
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)));
  });
}

function put(sftp: SFTPWrapper, path: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    sftp.open(path, "w", (fault, handle) => {
      if (fault) return reject(fault);
      let sent = 0;
      let inProgress = 0;
      const next = () => {
        while (sent < bytes.length && inProgress < partsInFlight) {
          const length = Math.min(partBytes, bytes.length - sent);
          inProgress++;
          sftp.write(handle, bytes, sent, length, sent, (error) => {
            if (error) return reject(error);
            inProgress--;
            next();
          });
          sent += length;
        }
        if (sent < bytes.length || inProgress > 0) return;
        sftp.close(handle, (error) => (error ? reject(error) : resolve()));
      };
      next();
    });
  });
}

const job = JSON.parse(process.argv[2] ?? "") as ClientJob;
const { folder, work } = job;
const sessions = await Promise.all(Array.from({ length: job.sessions }, () => open(job)));
const latencies: number[] = [];
const beganMs = performance.now();
if ("file" in work) {
  await put(sessions[0] as SFTPWrapper, `${folder}/${work.name}`, readFileSync(work.file));
  latencies.push(performance.now() - beganMs);
} else {
  const template = orderTemplate();
  const untilMs = beganMs + work.seconds * 1_000;
  let sent = 0;
  await Promise.all(
    sessions.map(async (sftp) => {
      while (performance.now() < untilMs) {
        const id = `${work.prefix}-${++sent}`;
        const bytes = Buffer.from(order(template, id, Math.random()));
        const atMs = performance.now();
        await put(sftp, `${folder}/${id}.xml`, bytes);
        latencies.push(performance.now() - atMs);
      }
    }),
  );
}
const seconds = (performance.now() - beganMs) / 1_000;
latencies.sort((left, right) => left - right);
const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0;
const result: ClientResult = { files: latencies.length, seconds, p50: quantile(0.5), p99: quantile(0.99) };
process.stdout.write(JSON.stringify(result), () => process.exit(0));
