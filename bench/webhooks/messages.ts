// Messages between the processes of the webhooks bench.

/** To the receiver. */
export type ReceiverCommand =
  /** Report when the expected number of pushes has arrived, counted from now on. */
  | { readonly kind: "count"; readonly expected: number }
  /** Record the objects that arrive, and when, until the next `count`; `take` returns those since the last `take`. */
  | { readonly kind: "record" }
  | { readonly kind: "take" }
  /** Stop answering this path; without a path, answer all waiting requests. */
  | { readonly kind: "hang"; readonly path: string | undefined };

/** Answers of the receiver; moments are Unix milliseconds. */
export type ReceiverAnswer =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "counted"; readonly firstMs: number; readonly lastMs: number }
  | { readonly kind: "taken"; readonly arrivals: readonly (readonly [objectId: string, atMs: number])[] }
  | { readonly kind: "heard" };

/**
 * Command to the peer: a bare loop that posts signed bodies to these addresses, with `inFlight` requests at a time to
 * each.
 */
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
