// The orders of the last days, one per line, with the steps of each.

import { clientOf } from "#/sandbox/demo/brands.ts";
import { linesOf } from "#/sandbox/demo/documents.ts";
import { addressOf, type HistoryAddress } from "#/sandbox/history/addresses.ts";

/** A step of an order, and its age in hours. */
type Step = readonly [hoursAgo: number, act: string];

export interface DayOrder {
  readonly clientId: string;
  readonly orderId: string;
  readonly hoursAgo: number;
  readonly lines: ReturnType<typeof linesOf>;
  /** Default: the first facility of the client. */
  readonly facilityCode?: string;
  /** Default: drawn from those of the history. */
  readonly address?: HistoryAddress;
  readonly doNotShip?: boolean;
  readonly shippingMethod?: string;
  readonly priority?: number;
  readonly steps: readonly Step[];
}

type More = Pick<DayOrder, "address" | "facilityCode" | "doNotShip" | "shippingMethod" | "priority">;

/**
 * @param steps the acts with their age in hours, such as `24 pick, 23 pack`:
 * - `pick`, `short` (one piece is missing), `pack`, `pack in two`, `pack too heavy` (no carrier takes it), `load`,
 * `despatch`, `despatch one` of two parcels: reports of the warehouse;
 * - `load held`: a report that is rejected;
 * - a number: a carrier code;
 * - `hold TYPE reason`, `cancel`: actions of an operator.
 */
function order(orderId: string, hoursAgo: number, lines: string, steps = "", more: More = {}): DayOrder {
  const played = steps.split(", ").filter(Boolean).map(stepOf);
  return { clientId: clientOf(orderId), orderId, hoursAgo, lines: linesOf(lines), steps: played, ...more };
}

function stepOf(step: string): Step {
  const at = step.indexOf(" ");
  return [Number(step.slice(0, at)), step.slice(at + 1)];
}

const packed = "24 pick, 23 pack";
const inTransit = `${packed}, 22 load, 21 despatch, 20 110, 18 120`;
const delivered = `${inTransit}, 8 150, 5 160, 3 200`;
const today = "4 pick, 2 pack";
const goneToday = `${today}, 1 load, 0.5 despatch`;

const jersey = addressOf("Ines Hughes, 14 King Street, St Helier, JE2 4WF, JE");

const dublin = addressOf("Aoife Byrne, 8 Pearse Street, Dublin, D02 X285, IE");

const candle = "CANDLE-FIG-220 2";
const candles = "CANDLE-FIG-220 1, CANDLE-MOSS-220 2";
const textiles = "THROW-WOOL 1, CUSHION-LINEN 2";
const kitchen = "MUG-ENAMEL 2, SALT-FLAKES-125 3";
const larder = "HONEY-HEATHER-340 2, TEA-LEAF-100 1";
const shirts = "TEE-L 1, SOCKS-3 2";
const deskItems = "NOTEBOOK-A5 2, PENS-4 1";

const lumen: readonly DayOrder[] = [
  // Late: their cut-offs have passed.
  order("LL-70001", 121, candle),
  order("LL-70002", 121, candles, "97 pick", { priority: 2 }),
  order("LL-70003", 121, textiles, "98 pick, 97 pack"),
  order("LL-70004", 30, candle, "24 hold CLIENT_REQUEST the customer is on holiday until Monday"),
  order("LL-70005", 30, textiles, "24 hold ADDRESS_INVALID house number is missing"),
  // A hold rule of the client places it on hold.
  order("LL-70006", 30, "DIFFUSER-CEDAR-100 3"),
  order("LL-70007", 30, candles, "24 hold OTHER payment under review"),
  order("LL-70008", 30, candle, "", { doNotShip: true }),
  order("LL-70009", 30, "THROW-WOOL 40", "24 pick, 23 pack too heavy, 3 load held"),
  order("LL-70010", 30, "PLANTER-20 2"),
  order("LL-70011", 5, "PLANTER-20 1, CANDLE-FIG-220 1"),
  order("LL-70012", 5, "VASE-TERRA-L 12"),
  ...[5, 5, 2, 2, 0.3].map((hoursAgo, i) => order(`LL-7002${i}`, hoursAgo, i % 2 === 0 ? candle : textiles)),
  order("LL-70030", 5, candles, "4 pick"),
  order("LL-70031", 5, "REFILL-CEDAR-250 3", "4 pick"),
  // To the European Union: its papers name the identifiers of the candle.
  order("LL-70032", 5, candle, today, { address: dublin }),
  order("LL-70033", 5, textiles, today, { shippingMethod: "EXPRESS" }),
  order("LL-70034", 5, candles, `${today}, 1 load`),
  // To another customs area by post: its parcel has a CN22.
  order("LL-70035", 5, candle, goneToday, { address: jersey }),
  order("LL-70042", 30, textiles, `${inTransit}, 8 150, 3 160`),
  order("LL-70043", 30, candle, `${inTransit}, 8 150, 3 175`),
  order("LL-70044", 30, "LAMP-SMART-E27 2", delivered),
  order("LL-70046", 30, candle, `${inTransit}, 5 160, 3 185`),
  order("LL-70048", 121, candle, "98 pick, 97 pack, 97 despatch, 96 120, 24 195"),
  order("LL-70049", 121, candles, "98 pick, 97 pack, 97 despatch, 96 120, 30 230, 24 250, 3 300"),
  order("LL-70050", 30, candle, "24 cancel"),
  // The cancellation is younger than the two hours that a warehouse has to answer.
  order("LL-70051", 5, candles, "4 pick, 1 cancel"),
  order("LL-70052", 30, "CANDLE-MOSS-220 2, CUSHION-LINEN 1", "24 pick, 23 pack in two, 21 despatch one"),
  order("LL-70053", 30, "LAMP-FLOOR-ARC 1", packed),
  order("LL-70054", 30, "VASE-TERRA-S 4", "24 short"),
  order("LL-70056", 2, "HOME-PAIR 2, THROW-WOOL 1"),
  // Split: the large vases of DC1 and the floor lamps of DC2 are allocated.
  order("LL-70057", 5, "LAMP-FLOOR-ARC 12", "", { facilityCode: "DC2" }),
  order("LL-70058", 2, "VASE-TERRA-L 2, LAMP-FLOOR-ARC 1"),
  // Held until the day from which the lantern may leave.
  order("LL-70059", 20, "LANTERN-DUSK 1"),
];

const fjord: readonly DayOrder[] = [
  order("FP-60001", 121, kitchen),
  order("FP-60002", 30, larder, "24 hold CLIENT_REQUEST ship with the next order"),
  order("FP-60003", 30, kitchen, "24 hold ADDRESS_INVALID postcode and city do not agree"),
  order("FP-60004", 30, "JAM-CLOUDBERRY-280 3"),
  order("FP-60005", 5, "JAM-CLOUDBERRY-280 2, MUG-ENAMEL 1"),
  order("FP-60006", 5, "HAMPER-CLASSIC 10"),
  order("FP-60010", 5, larder),
  order("FP-60011", 2, kitchen, "", { shippingMethod: "NEXT DAY", priority: 1 }),
  order("FP-60012", 0.3, "COFFEE-LIGHT-500 4"),
  order("FP-60013", 5, larder, "4 pick"),
  order("FP-60014", 5, kitchen, today),
  order("FP-60015", 5, "CRISPBREAD-250 5", goneToday),
  order("FP-60017", 30, "APRON-LINEN 1", delivered),
  order("FP-60019", 30, kitchen, `${inTransit}, 3 190`),
  order("FP-60020", 30, "KNIFE-FILLET 1", "24 cancel"),
  // Customers have honey of the lot that is recalled later.
  order("FP-60023", 30, larder, delivered),
  order("FP-60024", 30, "HONEY-HEATHER-340 3", inTransit),
  order("FP-60022", 5, "SALT-FLAKES-125 6", "4 pick", { facilityCode: "DC1" }),
];

/** The simulated warehouse works this client's orders by itself, so only orders that need no work keep their state. */
const demo: readonly DayOrder[] = [
  order("WEB-200001", 30, shirts, "24 hold CLIENT_REQUEST the customer changes a colour"),
  order("WEB-200002", 30, deskItems, "24 hold ADDRESS_INVALID the street is not known there"),
  order("WEB-200003", 5, shirts, "", { doNotShip: true }),
  order("WEB-200004", 30, "HOODIE-GREY-L 1"),
  order("WEB-200005", 5, "HOODIE-GREY-L 2, CAP-NAVY 1"),
  order("WEB-200006", 5, "GIFT-SET 30"),
  order("WEB-200007", 30, shirts, delivered),
  order("WEB-200009", 30, "BOTTLE-STEEL-750 1", inTransit),
  order("WEB-200011", 30, shirts, `${inTransit}, 5 160, 3 170`),
  order("WEB-200012", 121, "TOTE-CANVAS 2", "98 pick, 97 pack, 97 despatch, 96 120, 8 195"),
  order("WEB-200013", 30, "CAP-NAVY 1", "24 cancel"),
  order("WEB-200014", 5, "HOODIE-GREY-M 1", goneToday, { shippingMethod: "EXPRESS" }),
];

export const dayOrders: readonly DayOrder[] = [...lumen, ...fjord, ...demo];
