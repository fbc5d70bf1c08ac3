import { readWelcome } from "#/demo/greeting.ts";
import type { Config } from "#/kernel/config/config.ts";

/**
 * URL of an order's page in the console: at the public address, else at the address of the last server on this data
 * directory. Undefined without both, or if that server has no console.
 */
export function consoleLink(
  { http, dataDir }: Pick<Config, "http" | "dataDir">,
  clientId: string,
  orderId: string,
): string | undefined {
  const welcome = http.baseUrl === undefined ? readWelcome(dataDir) : undefined;
  const base = http.baseUrl ?? (welcome?.roles.includes("console") ? welcome.addresses.base : undefined);
  return base && `${base}/console/orders/${encodeURIComponent(clientId)}/${encodeURIComponent(orderId)}`;
}
