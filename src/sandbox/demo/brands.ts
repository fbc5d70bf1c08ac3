import { type DemoItem, demoGoods, fjordGoods, lumenGoods } from "#/sandbox/demo/goods.ts";

/** A client of the demo, with the properties that distinguish it. */
export interface Brand {
  readonly clientId: string;
  readonly name: string;
  /** In routing order. */
  readonly facilities: readonly string[];
  /** In the syntax of `crossdock client set`. */
  readonly settings: readonly string[];
  readonly goods: readonly DemoItem[];
  /** Its order history: the number of orders, and the prefix of their ids. */
  readonly history: { readonly size: number; readonly prefix: string };
}

export const demoClientId = "DEMO";

export const brands: readonly Brand[] = [
  {
    clientId: demoClientId,
    name: "Demo brand",
    facilities: ["DC1", "DC2"],
    settings: [],
    goods: demoGoods,
    history: { size: 240, prefix: "SHOP-" },
  },
  {
    clientId: "LUMEN",
    name: "Lumen & Leaf",
    facilities: ["DC1", "DC2"],
    goods: lumenGoods,
    settings: [
      ...["parkUnknownSkus=true", "identicalResend=REPLAY", "catMode=MERGE", "backorder=SHIP_AND_WAIT", "rmaDays=60"],
      "splitOrders=true",
      "outboundEmailList=operations@lumen.example",
      "holdRules=liquids-uk: hazmat and value > 90 GBP; liquids-abroad: hazmat and value > 90 EUR",
    ],
    history: { size: 120, prefix: "LL-" },
  },
  {
    clientId: "FJORD",
    name: "Fjord Provisions",
    facilities: ["DC2", "DC1"],
    goods: fjordGoods,
    settings: ["overReceiptTolerance=5", "rejectedFeedStatus=422", "backorderDays=14", "feedRetentionDays=180"],
    history: { size: 90, prefix: "FP-" },
  },
];

/**
 * Clients whose orders the simulated warehouse works only on explicit steps. Their orders therefore stay in every state
 * for the life of the demo.
 */
export const workedByHand: readonly string[] = ["LUMEN", "FJORD"];

export function brandOf(clientId: string): Brand {
  const brand = brands.find((candidate) => candidate.clientId === clientId);
  if (!brand) throw new Error(`${clientId} is no brand of the demo`);
  return brand;
}

/** The client of an object by its name, such as `LL-70001` or `PO-FP-881`. */
export function clientOf(name: string): string {
  return /\bLL-/.test(name) ? "LUMEN" : /\bFP-/.test(name) ? "FJORD" : demoClientId;
}
