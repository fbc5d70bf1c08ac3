// Delivery zones of the demo's fictional carriers, as in rate cards: European countries with their remote postcodes,
// and the world.

export interface ZoneEntry {
  readonly zone: string;
  readonly country: string;
  readonly postcodePrefixes?: readonly string[];
  readonly postcodeRanges?: readonly { readonly from: string; readonly to: string }[];
  readonly remote?: boolean;
}

const codes = (list: string) => list.split(" ");

export const europe: Readonly<Record<string, readonly string[]>> = {
  EUROPE_1: codes("BE DE FR IE LU MC NL"),
  EUROPE_2: codes("AT CZ DK ES IT LI PL PT SE SM VA"),
  EUROPE_3: codes("BG CY EE FI GR HR HU LT LV MT RO SI SK AD"),
  ALPINE: codes("CH"),
  NORDIC: codes("NO IS FO"),
};

const world = {
  WORLD_1: codes("US CA AE IL TR HK SG JP"),
  WORLD_2: codes("AU NZ CN IN KR MY TH TW MX SA QA KW BH OM JO EG MA TN"),
  WORLD_3: codes(
    "AR BR CL CO CR DO EC GT PA PE PY UY GH KE MU NA NG SN TZ UG ZA ZM BD ID KH LK MV NP PH PK VN KZ UZ GE AM AZ AL BA ME MK RS XK MD UA GI GL",
  ),
};

function entriesOf(groups: Readonly<Record<string, readonly string[]>>): ZoneEntry[] {
  return Object.entries(groups).flatMap(([zone, countries]) => countries.map((country) => ({ zone, country })));
}

const districts = (area: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${area}${from + i}`);

/** Highlands and islands of Great Britain. In ISO 3166-1, the Isle of Man and the Channel Islands are countries. */
const highlands = [
  ...codes("HS IV KA27 KA28 KW PA20 PA38 ZE"),
  ...[districts("PA", 41, 49), districts("PA", 60, 78), districts("PH", 19, 44), districts("PH", 49, 50)].flat(),
  ...districts("TR", 21, 25),
];

export const greatBritain: readonly ZoneEntry[] = [
  { zone: "DOMESTIC", country: "GB" },
  { zone: "HIGHLANDS", country: "GB", postcodePrefixes: highlands, remote: true },
  { zone: "NORTHERN_IRELAND", country: "GB", postcodePrefixes: ["BT"], remote: true },
];

export const crownDependencies: readonly ZoneEntry[] = ["GG", "IM", "JE"].map((country) => ({
  zone: "CROWN_DEPENDENCIES",
  country,
  remote: true,
}));

/** Islands, exclaves and the far north. Such a postcode is in its country's zone and counts as remote. */
const remotePostcodes: Readonly<Record<string, Omit<ZoneEntry, "zone" | "country" | "remote">>> = {
  // Corsica.
  FR: { postcodePrefixes: ["20"] },
  // Baleares, Ceuta and Melilla.
  ES: { postcodePrefixes: ["07", "51", "52"] },
  // Sardinia, Sicily, Livigno and the lagoon of Venice.
  IT: {
    postcodePrefixes: ["07", "08", "09", "23041", "30126", "30133", "30141"],
    postcodeRanges: [{ from: "900", to: "989" }],
  },
  // The islands of the Aegean and the Ionian Sea, except Crete.
  GR: { postcodePrefixes: ["28", "29", "49", "81", "82", "83", "84", "85"] },
  // North Sea and Baltic islands.
  DE: {
    postcodePrefixes: ["18565", "25938", "26465", "26474", "26486", "26548", "26571", "26579", "26757", "27498"],
    postcodeRanges: [
      { from: "25845", to: "25869" },
      { from: "25946", to: "25999" },
    ],
  },
  // Bornholm.
  DK: { postcodeRanges: [{ from: "3700", to: "3799" }] },
  // The far north and Gotland.
  SE: { postcodePrefixes: ["62"], postcodeRanges: [{ from: "980", to: "984" }] },
  FI: { postcodePrefixes: ["96", "97", "98", "99"] },
  NO: { postcodeRanges: [{ from: "9000", to: "9999" }] },
  // The Wadden Islands.
  NL: {
    postcodeRanges: [
      { from: "1791", to: "1797" },
      { from: "8881", to: "8899" },
      { from: "9161", to: "9166" },
    ],
  },
  // Samnaun.
  CH: { postcodePrefixes: ["7562", "7563"] },
};

/** Separate zones, because they are further away than the rest of their country. */
const atlantic: readonly ZoneEntry[] = [
  { zone: "ATLANTIC", country: "ES", postcodePrefixes: ["35", "38"], remote: true },
  { zone: "ATLANTIC", country: "PT", postcodeRanges: [{ from: "9000", to: "9999" }], remote: true },
];

export const europeanMainland: readonly ZoneEntry[] = [
  ...entriesOf(europe),
  ...entriesOf(europe).flatMap(({ zone, country }) => {
    const remote = remotePostcodes[country];
    return remote ? [{ zone, country, ...remote, remote: true }] : [];
  }),
  ...atlantic,
];

export const restOfWorld: readonly ZoneEntry[] = entriesOf(world);

/** Working days in transit by zone, from text such as `DOMESTIC 2, HIGHLANDS 3`. */
export function daysOf(text: string): Record<string, number> {
  return Object.fromEntries(text.split(", ").map((zone) => [zone.split(" ")[0], Number(zone.split(" ")[1])]));
}

/**
 * Weight breaks of a rate card.
 *
 * @param upToKg the heaviest parcel of each break.
 * @param prices by zone the price of each break, then that of each further kilogram.
 */
export function breaksOf(upToKg: readonly number[], prices: Readonly<Record<string, readonly number[]>>, factor = 1) {
  return Object.entries(prices).flatMap(([zone, row]) => {
    const priced = row.map((price) => Math.round(price * factor * 100) / 100);
    return upToKg.map((limit, i) => {
      const last = i === upToKg.length - 1 ? { perExtraKg: priced[upToKg.length] } : {};
      return { zone, upToKg: limit, price: priced[i], ...last };
    });
  });
}
