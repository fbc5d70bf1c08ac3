import { isIP } from "node:net";

/**
 * The trustworthy addresses of an `X-Forwarded-For`: those after the last entry that is no address, since each proxy
 * appends to the header that it received. A port after an address, as some proxies write it, is removed.
 *
 * @returns undefined where no address is left.
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
