// What the processes of the webhooks bench tell each other.

/** To the receiver. */
export type ReceiverCommand =
  /** Tell when so many have come from now on. */
  | { readonly kind: "count"; readonly expected: number }
  /** Keep which objects come, and when, until there is something to count; `take` answers those since the last one. */
  | { readonly kind: "record" }
  | { readonly kind: "take" }
  /** Answer this path no more; without one, answer all that waits. */
  | { readonly kind: "hang"; readonly path: string | undefined };

/** Of the receiver; moments Unix milliseconds. */
export type ReceiverAnswer =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "counted"; readonly firstMs: number; readonly lastMs: number }
  | { readonly kind: "taken"; readonly arrivals: readonly (readonly [objectId: string, atMs: number])[] }
  | { readonly kind: "heard" };

/** To the peer: a bare loop that posts, signed, to these addresses, so many at a time to each. */
export interface PeerCommand {
  readonly urls: readonly string[];
  readonly inFlight: number;
  readonly seconds: number;
  readonly bodies: readonly { readonly id: string; readonly body: string }[];
}

export interface PeerAnswer {
  /** Posts a second. */
  readonly rate: number;
}
