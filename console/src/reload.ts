const reloadedKey = "crossdock.reloaded";
const reloadMsMin = 60_000;
const answerMsMax = 5_000;

/**
 * Reloads the page if the server responds. Otherwise it keeps the page, because the browser would show its own error
 * page.
 */
export async function reloadIfServed(): Promise<void> {
  const init = { cache: "no-store", signal: AbortSignal.timeout(answerMsMax) } as const;
  const answer = await fetch("/readyz", init).catch(() => undefined);
  // If a proxy does not forward this path, its error is a response too.
  if (answer !== undefined && answer.status < 500) location.reload();
}

/**
 * Loads a script. If it is missing, the page is reloaded: a newer version may have been deployed, whose scripts have
 * other names. The part whose script is missing shows the error until then.
 */
export async function loadScript<Script>(load: () => Promise<Script>): Promise<Script> {
  try {
    return await load();
  } catch (error) {
    void reloadForScripts();
    throw error;
  }
}

/** At most once a minute, to avoid an endless loop. */
async function reloadForScripts(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadMsMin) return;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  await reloadIfServed();
}
