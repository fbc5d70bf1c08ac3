import { isIP } from "node:net";

/**
 * The addresses of an `X-Forwarded-For` that can be believed: those behind the last entry that is no address, since each
 * proxy appends to what it was sent. A port behind an address, as some proxies write it, is taken away.
 *
 * @returns undefined where nothing is left.
 */
export function believableAddresses(header: string): string | undefined {
  const entries = header.split(",").map(withoutPort);
  const kept = entries.slice(entries.findLastIndex((entry) => isIP(entry) === 0) + 1);
  return kept.length === 0 ? undefined : kept.join(", ");
}

function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry.trim();
}
