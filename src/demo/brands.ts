import { type DemoItem, demoGoods, fjordGoods, lumenGoods } from "#/demo/goods.ts";

/** A client of the demo, with what makes it different from the others. */
export interface Brand {
  readonly clientId: string;
  readonly name: string;
  /** In routing order. */
  readonly facilities: readonly string[];
  /** As `crossdock client set` takes them. */
  readonly settings: readonly string[];
  readonly goods: readonly DemoItem[];
  /** Of its history: how many orders, and what their numbers begin with. */
  readonly history: { readonly size: number; readonly prefix: string };
}

export const demoClientId = "DEMO";

export const brands: readonly Brand[] = [
  {
    ...{ clientId: demoClientId, name: "Demo brand", facilities: ["DC1", "DC2"], settings: [], goods: demoGoods },
    history: { size: 240, prefix: "SHOP-" },
  },
  {
    ...{ clientId: "LUMEN", name: "Lumen & Leaf", facilities: ["DC1", "DC2"], goods: lumenGoods },
    settings: [
      ...["parkUnknownSkus=true", "identicalResend=REPLAY", "catMode=MERGE", "backorder=SHIP_AND_WAIT", "rmaDays=60"],
      "outboundEmailList=operations@lumen.example",
    ],
    history: { size: 120, prefix: "LL-" },
  },
  {
    ...{ clientId: "FJORD", name: "Fjord Provisions", facilities: ["DC2", "DC1"], goods: fjordGoods },
    settings: ["overReceiptTolerance=5", "rejectedFeedStatus=422", "backorderDays=14", "feedRetentionDays=180"],
    history: { size: 90, prefix: "FP-" },
  },
];

/**
 * Clients whose orders the simulated warehouse works only when somebody steps them: they stand in every state for as long as
 * the demo lives.
 */
export const workedByHand: readonly string[] = ["LUMEN", "FJORD"];

export function brandOf(clientId: string): Brand {
  const brand = brands.find((each) => each.clientId === clientId);
  if (!brand) throw new Error(`${clientId} is no brand of the demo`);
  return brand;
}
