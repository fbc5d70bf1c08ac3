import { done, type Outcome, refuse } from "#/cli/command.ts";
import { localServer } from "#/cli/local-server.ts";
import { demoFor, greetingOf } from "#/sandbox/demo/greeting.ts";

/** Longer than a running server needs for its health check. */
const answerMsMax = 5_000;

export async function hello(): Promise<Outcome> {
  const local = localServer();
  if (!local.ok) return local;
  const { config, welcome } = local.value;
  if (!(await answers(welcome.url))) return refuse(`no server answers at ${welcome.url}: start it with npm start`);
  const demo = demoFor(config.dataDir);
  const credentialsFile = demo.credentials === undefined ? null : demo.file;
  return done({ ...welcome, credentialsFile }, greetingOf(welcome, demo));
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerMsMax) });
    await response.text();
    return response.ok;
  } catch {
    // The remedy is the same whatever the reason of the failure.
    return false;
  }
}
