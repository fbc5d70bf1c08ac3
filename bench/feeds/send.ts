import { setTimeout as sleep } from "node:timers/promises";

const pauseMs = 500;

/**
 * Sends a feed, and retries while the product is too busy, until it is accepted. @throws when the document is refused
 */
export async function sendFeed(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  clientId: string,
  type: string,
  body: string,
): Promise<void> {
  const headers = { "x-api-key": apiKey, "content-type": "application/xml" };
  for (;;) {
    const response = await fetch(`${url}/feeds/${clientId}/${type}`, { method: "POST", headers, body });
    const answer = await response.text();
    if (response.status !== 429 && response.status !== 503) {
      if (!answer.includes("<success>true</success>")) throw new Error(`${response.status} ${answer}`);
      return;
    }
    await sleep(pauseMs);
  }
}
