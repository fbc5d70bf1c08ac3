import { pick } from "#/sandbox/history/items.ts";

export interface HistoryAddress {
  readonly firstName: string;
  readonly lastName: string;
  readonly address1: string;
  readonly city: string;
  readonly zip: string;
  readonly country: string;
}

/** @param text name, street, city, postcode and country, between commas. */
export function addressOf(text: string): HistoryAddress {
  const [name = "", address1 = "", city = "", zip = "", country = ""] = text.split(", ");
  const [firstName = "", lastName = ""] = name.split(" ");
  return { firstName, lastName, address1, city, zip, country };
}

/** Fictional names; each combination occurs many times. */
const firstNames = ["Ada", "Ben", "Clara", "David", "Elif", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Karin", "Luca"];
const lastNames = ["Archer", "Berg", "Costa", "Dubois", "Eriksen", "Ferrari", "Graham", "Hughes", "Jansen", "Novak"];

/** Destinations: the share of orders out of a hundred, and a street name in the local language. */
const places: readonly (readonly [share: number, street: string, language: string, country: string, ...string[]])[] = [
  [34, "High Street", "en", "GB", "London SW1Y 4JH", "Leeds LS1 4DY", "Bristol BS1 5TY", "Manchester M1 1AE"],
  [3, "Church Road", "en", "GB", "Lairg IV27 4AA", "Belfast BT1 5GS", "Lerwick ZE1 0AA"],
  [20, "Hauptstraße", "de", "DE", "Berlin 10117", "Hamburg 20095", "München 80331", "Köln 50667"],
  [12, "Rue de la Gare", "fr", "FR", "Paris 75002", "Lyon 69001", "Lille 59800", "Ajaccio 20000"],
  [10, "Dorpsstraat", "nl", "NL", "Amsterdam 1012 JS", "Utrecht 3511 AA", "Rotterdam 3011 AB"],
  [4, "Main Street", "en", "IE", "Dublin D02 X285", "Cork T12 W8KP"],
  [4, "Stationsstraat", "nl", "BE", "Brussel 1000", "Gent 9000"],
  [4, "Calle Mayor", "es", "ES", "Madrid 28013", "Barcelona 08002", "Palma 07001"],
  [4, "Via Roma", "it", "IT", "Milano 20121", "Torino 10121", "Palermo 90133"],
  [2, "Ulica Polna", "pl", "PL", "Warszawa 00-001", "Kraków 31-001"],
  [2, "Storgatan", "en", "SE", "Stockholm 111 20", "Malmö 211 22"],
  [1, "Bahnhofstrasse", "de", "CH", "Zürich 8001"],
];
const shares = places.reduce((sum, [share]) => sum + share, 0);

/** @param part returns a number from 0 up to 1 for each drawn value. */
export function historyAddress(part: (what: string) => number): { address: HistoryAddress; language: string } {
  const [, street, language, country, ...towns] = placeAt(part("place") * shares);
  const town = pick(towns, part("town"));
  const at = town.indexOf(" ");
  const address = {
    firstName: pick(firstNames, part("firstName")),
    lastName: pick(lastNames, part("lastName")),
    address1: country === "GB" || country === "IE" ? `${house(part)} ${street}` : `${street} ${house(part)}`,
    city: town.slice(0, at),
    zip: town.slice(at + 1),
    country,
  };
  return { address, language };
}

const house = (part: (what: string) => number) => 1 + Math.floor(part("house") * 180);

function placeAt(point: number): (typeof places)[number] {
  let left = point;
  for (const place of places) {
    left -= place[0];
    if (left < 0) return place;
  }
  return places[0] as (typeof places)[number];
}
