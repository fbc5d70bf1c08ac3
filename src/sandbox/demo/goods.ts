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
  readonly category: string;
}

type Sides = readonly [number, number, number];
type Rest = Omit<DemoItem, "sku" | "ean" | "name" | "type" | "origin" | "price" | "weight" | "sides" | "pieces">;

function item(sku: string, name: string, plain: readonly [string, string, number, number, Sides, number], rest: Rest) {
  const [type, origin, price, weight, sides, pieces] = plain;
  return { sku, name, type, origin, price, weight, sides, pieces, ...rest };
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
  item("TEE-S", "T-shirt, size S", ["APPAREL", "PT", 1_490, 160, shirt, 900], { ...past, category: "Apparel" }),
  item("TEE-L", "T-shirt, size L", ["APPAREL", "PT", 1_490, 190, shirt, 900], { ...past, category: "Apparel" }),
  item("TEE-XL", "T-shirt, size XL", ["APPAREL", "PT", 1_490, 205, shirt, 700], { ...past, category: "Apparel" }),
  item("HOODIE-GREY-M", "Hooded jumper, grey, size M", ["APPAREL", "TR", 4_490, 620, [380, 300, 60], 500], {
    ...past,
    category: "Apparel",
    lowStock: 40,
  }),
  item("HOODIE-GREY-L", "Hooded jumper, grey, size L", ["APPAREL", "TR", 4_490, 650, [380, 300, 60], 0], {
    category: "Apparel",
    lowStock: 40,
  }),
  item("CAP-NAVY", "Cap, navy", ["APPAREL", "VN", 1_990, 110, [260, 180, 110], 500], { ...past, category: "Apparel" }),
  item("SOCKS-3", "Socks, three pairs", ["APPAREL", "PT", 1_190, 130, [200, 120, 60], 800], {
    ...past,
    category: "Apparel",
  }),
  item("TOTE-CANVAS", "Canvas bag", ["LUGGAGE", "IN", 1_290, 180, [400, 350, 20], 700], { ...past, category: "Bags" }),
  item("NOTEBOOK-A5", "Notebook, A5, dotted", ["STATIONERY", "DE", 1_590, 310, [220, 160, 20], 800], {
    ...past,
    category: "Stationery",
  }),
  item("PENS-4", "Pens, set of four", ["STATIONERY", "DE", 990, 60, [160, 60, 20], 900], {
    ...past,
    category: "Stationery",
  }),
  item("BOTTLE-STEEL-750", "Steel bottle, 750 ml", ["HOME", "CN", 2_490, 380, [270, 80, 80], 600], {
    ...past,
    category: "Kitchen",
    hsCode: "9617.00",
  }),
  item("GIFT-BOX", "Gift box, empty", ["PACKAGING", "GB", 290, 140, [300, 240, 110], 400], { category: "Packaging" }),
  item("GIFT-SET", "Gift set: mug, shirt and notebook", ["HOME", "GB", 3_990, 1_050, [300, 240, 120], 20], {
    category: "Sets",
  }),
  item("TEE-M", "T-shirt, size M", ["APPAREL", "PT", 1_490, 175, shirt, 5_000], { category: "Apparel" }),
]);

/** Perfumery products with flammable solvents, in small bottles. */
const perfumery = { UnNumber: "UN1266", HazardClass: "3", PackingGroup: "II", LimitedQuantity: true } as const;

export const lumenGoods: readonly DemoItem[] = withEans(2, [
  item("CANDLE-FIG-220", "Scented candle, fig, 220 g", ["HOME", "GB", 2_400, 480, jar, 900], {
    ...past,
    category: "Fragrance",
    lowStock: 60,
  }),
  item("CANDLE-MOSS-220", "Scented candle, moss, 220 g", ["HOME", "GB", 2_400, 480, jar, 900], {
    ...past,
    category: "Fragrance",
  }),
  item("THROW-WOOL", "Wool throw", ["HOME", "PT", 7_900, 1_150, [420, 320, 140], 400], {
    ...past,
    category: "Textiles",
  }),
  item("CUSHION-LINEN", "Cushion cover, linen", ["HOME", "PT", 3_200, 260, [450, 320, 40], 500], {
    ...past,
    category: "Textiles",
  }),
  item("VASE-TERRA-S", "Terracotta vase, small", ["HOME", "IT", 2_900, 700, [220, 160, 160], 400], {
    ...past,
    category: "Ceramics",
  }),
  item("VASE-TERRA-L", "Terracotta vase, large", ["HOME", "IT", 5_900, 2_100, [380, 240, 240], 9], {
    category: "Ceramics",
    lowStock: 12,
  }),
  item("PLANTER-20", "Planter, 20 cm", ["HOME", "IT", 3_400, 1_600, [240, 220, 220], 0], { category: "Ceramics" }),
  item("DIFFUSER-CEDAR-100", "Diffuser, cedar, 100 ml", ["HOME", "FR", 3_600, 340, [240, 80, 80], 180], {
    category: "Fragrance",
    isHazmat: true,
    dangerousGoods: perfumery,
    hsCode: "3307.49",
  }),
  item("REFILL-CEDAR-250", "Refill, cedar, 250 ml", ["HOME", "FR", 2_800, 310, [180, 70, 70], 0], {
    category: "Fragrance",
    isHazmat: true,
    dangerousGoods: perfumery,
    minShelfLifeDays: 20,
    lots: [
      [40, 33],
      [160, 300],
    ],
  }),
  item("LAMP-SMART-E27", "Smart bulb, E27", ["ELECTRONICS", "CN", 2_200, 120, [120, 70, 70], 60], {
    category: "Lighting",
    hasSerials: true,
    lowStock: 80,
  }),
  item("LAMP-FLOOR-ARC", "Floor lamp, arc", ["ELECTRONICS", "CN", 24_900, 14_500, [1_600, 450, 300], 12], {
    category: "Lighting",
    isBulky: true,
    hasSerials: true,
  }),
  item("HOME-KIT", "Evening kit: candle, vase and cushion", ["HOME", "GB", 7_500, 1_700, [420, 320, 200], 6], {
    category: "Sets",
  }),
]);

export const fjordGoods: readonly DemoItem[] = withEans(3, [
  item("MUG-ENAMEL", "Enamel mug", ["HOME", "PL", 1_400, 190, [120, 90, 90], 900], { ...past, category: "Kitchen" }),
  item("APRON-LINEN", "Linen apron", ["APPAREL", "PL", 3_400, 320, [320, 240, 30], 500], {
    ...past,
    category: "Kitchen",
  }),
  item("KNIFE-FILLET", "Filleting knife", ["HOME", "NO", 4_900, 210, [340, 60, 30], 400], {
    ...past,
    category: "Kitchen",
  }),
  item("SALT-FLAKES-125", "Sea salt flakes, 125 g", ["FOOD", "NO", 690, 160, [110, 70, 70], 900], {
    ...past,
    category: "Larder",
  }),
  item("HAMPER-BOX", "Hamper box, empty", ["PACKAGING", "NL", 450, 420, [400, 300, 160], 120], {
    category: "Packaging",
  }),
  item("HAMPER-CLASSIC", "Hamper, classic", ["FOOD", "NL", 6_900, 2_300, [400, 300, 180], 8], { category: "Sets" }),
  ...food(
    "SALMON-SMOKED-200",
    "Smoked salmon, 200 g",
    "NO",
    1_290,
    230,
    [
      [30, 3],
      [60, 9],
      [120, 21],
    ],
    5,
  ),
  ...food(
    "HONEY-HEATHER-340",
    "Heather honey, 340 g",
    "NO",
    990,
    560,
    [
      [80, 90],
      [200, 400],
    ],
    30,
  ),
  ...food(
    "TEA-LEAF-100",
    "Birch leaf tea, 100 g",
    "FI",
    890,
    130,
    [
      [150, 200],
      [150, 500],
    ],
    60,
  ),
  ...food(
    "CRISPBREAD-250",
    "Crispbread, 250 g",
    "SE",
    420,
    290,
    [
      [90, 26],
      [200, 120],
    ],
    20,
  ),
  ...food(
    "COFFEE-LIGHT-500",
    "Coffee, light roast, 500 g",
    "NO",
    1_190,
    540,
    [
      [120, 45],
      [180, 160],
    ],
    30,
  ),
  ...food(
    "CHOC-SEASALT-85",
    "Chocolate with sea salt, 85 g",
    "NO",
    450,
    95,
    [
      [60, -2],
      [240, 180],
    ],
    30,
  ),
  ...food("JAM-CLOUDBERRY-280", "Cloudberry jam, 280 g", "FI", 1_150, 470, [], 60),
]);

function food(
  ...[sku, name, origin, price, weight, lots, minShelfLifeDays]: readonly [
    string,
    string,
    string,
    number,
    number,
    readonly (readonly [number, number])[],
    number,
  ]
): readonly Omit<DemoItem, "ean">[] {
  const plain = ["FOOD", origin, price, weight, jar, 0] as const;
  return [item(sku, name, plain, { category: "Larder", lots, minShelfLifeDays, lowStock: 50 })];
}
