/** Where the figures of the overview lead: the lists that hold what they count. Paths below /console. */
export const waysOf = {
  /** Everything that has not left, first what is due first. */
  open: "/orders?sort=despatchBy",
  /** Due within the hour or late, by the time that is left. */
  pressed: "/orders?isAtRisk=true&sort=despatchBy",
  orders: (status: string, isByTime = false) => `/orders?status=${status}${isByTime ? "&sort=despatchBy" : ""}`,
  ordersAt: (facility: string) => `/orders?facility=${encodeURIComponent(facility)}&sort=despatchBy`,
  pressedAt: (facility: string) => `/orders?facility=${encodeURIComponent(facility)}&isAtRisk=true&sort=despatchBy`,
  facility: (facility: string) => `/facilities/${encodeURIComponent(facility)}`,
  exceptions: "/exceptions",
  exceptionsOf: (type: string) => `/exceptions?type=${type}`,
  /** Feeds that came in between two moments. */
  feeds: (fromMs: number, toMs: number, state?: string) =>
    `/feeds?receivedFrom=${isoOf(fromMs)}&receivedTo=${isoOf(toMs)}${state === undefined ? "" : `&state=${state}`}`,
  webhooks: (status: string) => `/webhooks?status=${status}&kind=WEBHOOK`,
  undelivered: (status: string) => `/webhooks/undelivered?status=${status}&kind=WEBHOOK`,
  expiring: "/inventory?tab=expiry",
  stock: "/inventory",
} as const;

const isoOf = (ms: number) => new Date(ms).toISOString();
