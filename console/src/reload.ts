const reloadedKey = "crossdock.reloaded";
const reloadMsMin = 60_000;
const answerMsMax = 5_000;

/** Loads the page anew, if there is anything to load: a page is kept rather than traded for the browser's own error. */
export async function reloadIfServed(): Promise<void> {
  const init = { cache: "no-store", signal: AbortSignal.timeout(answerMsMax) } as const;
  const answer = await fetch("/readyz", init).catch(() => undefined);
  // Where a proxy does not pass this path on, its refusal is an answer as well.
  if (answer !== undefined && answer.status < 500) location.reload();
}

/**
 * For when a script is missing: since this page was loaded another version may have taken its place, whose scripts have
 * other names. Once a minute at the most, lest it go on for ever.
 */
export async function reloadForScripts(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadMsMin) return;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  await reloadIfServed();
}
