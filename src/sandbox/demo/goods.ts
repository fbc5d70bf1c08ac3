import { gs1CheckDigit } from "#/kernel/values/gtin.ts";

/** An item of the demo, with its opening stock. */
export interface DemoItem {
  readonly sku: string;
  /** GTIN-13 from the range that GS1 reserves for internal use, so that it belongs to no real product. */
  readonly ean: string;
  readonly name: string;
  readonly type: string;
  readonly origin: string;
  /** Pence. */
  readonly price: number;
  /** Grams. */
  readonly weight: number;
  /** Millimetres, the longest first. */
  readonly sides: readonly [number, number, number];
  /** Pieces in each facility of the brand. With 0, its orders wait. */
  readonly pieces: number;
  /** If absent, the history of the last weeks does not touch the item, so that its stock stays as described. */
  readonly isOfHistory?: true;
  /** Lots by batch and expiry: pieces of each, and their shelf life in days from the first start on. */
  readonly lots?: readonly (readonly [pieces: number, days: number])[];
  readonly minShelfLifeDays?: number;
  readonly hasSerials?: true;
  readonly isHazmat?: true;
  readonly dangerousGoods?: {
    readonly UnNumber: string;
    readonly HazardClass: string;
    readonly PackingGroup: string;
    readonly LimitedQuantity: true;
  };
  readonly isBulky?: true;
  readonly lowStock?: number;
  readonly hsCode?: string;
  /** The maker's identifier of the product. */
  readonly makerId?: string;
  readonly category: string;
  /** Days after its catalogue from which it may leave: until then its orders are pre-orders. */
  readonly availableInDays?: number;
  /** Of a kit: its components, each with its quantity in one kit. */
  readonly components?: readonly (readonly [sku: string, qty: number])[];
}

type Sides = readonly [number, number, number];
type Plain = readonly [type: string, origin: string, price: number, weight: number, sides: Sides, pieces: number];

function item(
  sku: string,
  name: string,
  category: string,
  plain: Plain,
  rest: Partial<DemoItem> = {},
): Omit<DemoItem, "ean"> {
  const [type, origin, price, weight, sides, pieces] = plain;
  return { sku, name, category, type, origin, price, weight, sides, pieces, ...rest };
}

function withEans(brandNumber: number, goods: readonly Omit<DemoItem, "ean">[]): readonly DemoItem[] {
  return goods.map((item, i) => {
    const digits = `29${brandNumber}${String(i + 1).padStart(9, "0")}`;
    return { ...item, ean: `${digits}${gs1CheckDigit(digits)}` };
  });
}

const shirt: Sides = [320, 240, 25];
const jar: Sides = [110, 80, 80];
const past = { isOfHistory: true } as const;

/** The client DEMO. The mug, the oil and the lamp come with the samples, HELLO-TEE with the catalogue of the guides. */
export const demoGoods: readonly DemoItem[] = withEans(1, [
  item("TEE-S", "T-shirt, size S", "Apparel", ["APPAREL", "PT", 1_490, 160, shirt, 900], past),
  item("TEE-L", "T-shirt, size L", "Apparel", ["APPAREL", "PT", 1_490, 190, shirt, 900], past),
  item("TEE-XL", "T-shirt, size XL", "Apparel", ["APPAREL", "PT", 1_490, 205, shirt, 700], past),
  item("HOODIE-GREY-M", "Hooded jumper, grey, size M", "Apparel", ["APPAREL", "TR", 4_490, 620, [380, 300, 60], 500], {
    ...past,
    lowStock: 40,
  }),
  item("HOODIE-GREY-L", "Hooded jumper, grey, size L", "Apparel", ["APPAREL", "TR", 4_490, 650, [380, 300, 60], 0], {
    lowStock: 40,
  }),
  item("CAP-NAVY", "Cap, navy", "Apparel", ["APPAREL", "VN", 1_990, 110, [260, 180, 110], 500], past),
  item("SOCKS-3", "Socks, three pairs", "Apparel", ["APPAREL", "PT", 1_190, 130, [200, 120, 60], 800], past),
  item("TOTE-CANVAS", "Canvas bag", "Bags", ["LUGGAGE", "IN", 1_290, 180, [400, 350, 20], 700], past),
  item(
    "NOTEBOOK-A5",
    "Notebook, A5, dotted",
    "Stationery",
    ["STATIONERY", "DE", 1_590, 310, [220, 160, 20], 800],
    past,
  ),
  item("PENS-4", "Pens, set of four", "Stationery", ["STATIONERY", "DE", 990, 60, [160, 60, 20], 900], past),
  item("BOTTLE-STEEL-750", "Steel bottle, 750 ml", "Kitchen", ["HOME", "CN", 2_490, 380, [270, 80, 80], 600], {
    ...past,
    hsCode: "9617.00",
  }),
  item("GIFT-BOX", "Gift box, empty", "Packaging", ["PACKAGING", "GB", 290, 140, [300, 240, 110], 400]),
  item("GIFT-SET", "Gift set: mug, shirt and notebook", "Sets", ["HOME", "GB", 3_990, 1_050, [300, 240, 120], 20]),
  item("TEE-M", "T-shirt, size M", "Apparel", ["APPAREL", "PT", 1_490, 175, shirt, 5_000]),
]);

/** Perfumery products with flammable solvents, in small bottles. */
const perfumery = { UnNumber: "UN1266", HazardClass: "3", PackingGroup: "II", LimitedQuantity: true } as const;

export const lumenGoods: readonly DemoItem[] = withEans(2, [
  item("CANDLE-FIG-220", "Scented candle, fig, 220 g", "Fragrance", ["HOME", "GB", 2_400, 480, jar, 900], {
    ...past,
    lowStock: 60,
    hsCode: "3406.00",
    makerId: "FIG-220-02",
  }),
  item("CANDLE-MOSS-220", "Scented candle, moss, 220 g", "Fragrance", ["HOME", "GB", 2_400, 480, jar, 900], past),
  item("THROW-WOOL", "Wool throw", "Textiles", ["HOME", "PT", 7_900, 1_150, [420, 320, 140], 400], past),
  item("CUSHION-LINEN", "Cushion cover, linen", "Textiles", ["HOME", "PT", 3_200, 260, [450, 320, 40], 500], past),
  item("VASE-TERRA-S", "Terracotta vase, small", "Ceramics", ["HOME", "IT", 2_900, 700, [220, 160, 160], 400], past),
  item("VASE-TERRA-L", "Terracotta vase, large", "Ceramics", ["HOME", "IT", 5_900, 2_100, [380, 240, 240], 9], {
    lowStock: 12,
  }),
  item("PLANTER-20", "Planter, 20 cm", "Ceramics", ["HOME", "IT", 3_400, 1_600, [240, 220, 220], 0]),
  item("DIFFUSER-CEDAR-100", "Diffuser, cedar, 100 ml", "Fragrance", ["HOME", "FR", 3_600, 340, [240, 80, 80], 180], {
    isHazmat: true,
    dangerousGoods: perfumery,
    hsCode: "3307.49",
  }),
  item("REFILL-CEDAR-250", "Refill, cedar, 250 ml", "Fragrance", ["HOME", "FR", 2_800, 310, [180, 70, 70], 0], {
    isHazmat: true,
    dangerousGoods: perfumery,
    minShelfLifeDays: 20,
    lots: [
      [40, 33],
      [160, 300],
    ],
  }),
  item("LAMP-SMART-E27", "Smart bulb, E27", "Lighting", ["ELECTRONICS", "CN", 2_200, 120, [120, 70, 70], 60], {
    hasSerials: true,
    lowStock: 80,
  }),
  item("LAMP-FLOOR-ARC", "Floor lamp, arc", "Lighting", ["ELECTRONICS", "CN", 24_900, 14_500, [1_600, 450, 300], 12], {
    isBulky: true,
    hasSerials: true,
  }),
  item("HOME-KIT", "Evening kit: candle, vase and cushion", "Sets", ["HOME", "GB", 7_500, 1_700, [420, 320, 200], 6]),
  // No work order has made any: orders of it take the components.
  item("HOME-PAIR", "Pair: candle and cushion", "Sets", ["HOME", "GB", 4_500, 900, [420, 320, 120], 0], {
    components: [
      ["CANDLE-FIG-220", 1],
      ["CUSHION-LINEN", 2],
    ],
  }),
  item("LANTERN-DUSK", "Lantern, dusk", "Lighting", ["HOME", "PT", 5_400, 1_300, [320, 180, 180], 80], {
    availableInDays: 60,
  }),
]);

export const fjordGoods: readonly DemoItem[] = withEans(3, [
  item("MUG-ENAMEL", "Enamel mug", "Kitchen", ["HOME", "PL", 1_400, 190, [120, 90, 90], 900], past),
  item("APRON-LINEN", "Linen apron", "Kitchen", ["APPAREL", "PL", 3_400, 320, [320, 240, 30], 500], past),
  item("KNIFE-FILLET", "Filleting knife", "Kitchen", ["HOME", "NO", 4_900, 210, [340, 60, 30], 400], past),
  item("SALT-FLAKES-125", "Sea salt flakes, 125 g", "Larder", ["FOOD", "NO", 690, 160, [110, 70, 70], 900], past),
  item("HAMPER-BOX", "Hamper box, empty", "Packaging", ["PACKAGING", "NL", 450, 420, [400, 300, 160], 120]),
  item("HAMPER-CLASSIC", "Hamper, classic", "Sets", ["FOOD", "NL", 6_900, 2_300, [400, 300, 180], 8]),
  food("SALMON-SMOKED-200", "Smoked salmon, 200 g", ["NO", 1_290, 230, 5], [30, 3], [60, 9], [120, 21]),
  food("HONEY-HEATHER-340", "Heather honey, 340 g", ["NO", 990, 560, 30], [80, 90], [200, 400]),
  food("TEA-LEAF-100", "Birch leaf tea, 100 g", ["FI", 890, 130, 60], [150, 200], [150, 500]),
  food("CRISPBREAD-250", "Crispbread, 250 g", ["SE", 420, 290, 20], [90, 26], [200, 120]),
  food("COFFEE-LIGHT-500", "Coffee, light roast, 500 g", ["NO", 1_190, 540, 30], [120, 45], [180, 160]),
  food("CHOC-SEASALT-85", "Chocolate with sea salt, 85 g", ["NO", 450, 95, 30], [60, -2], [240, 180]),
  food("JAM-CLOUDBERRY-280", "Cloudberry jam, 280 g", ["FI", 1_150, 470, 60]),
]);

type Food = readonly [origin: string, price: number, weight: number, minShelfLifeDays: number];

function food(sku: string, name: string, plain: Food, ...lots: NonNullable<DemoItem["lots"]>) {
  const [origin, price, weight, minShelfLifeDays] = plain;
  return item(sku, name, "Larder", ["FOOD", origin, price, weight, jar, 0], { lots, minShelfLifeDays, lowStock: 50 });
}
