import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Files that ship with the program. */
export const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

export function readXsd(name: string): Buffer {
  return readFileSync(new URL(`../../schemas/xsd/${name}`, import.meta.url));
}

/** The Arazzo documents of journeys, by the names of their files. */
export function readJourneys(): Map<string, string> {
  const place = new URL("../../schemas/arazzo/", import.meta.url);
  return new Map(
    readdirSync(place)
      .sort()
      .map((file) => [file, readFileSync(new URL(file, place), "utf8")]),
  );
}

/** The documents of a folder of `samples/`, by the names of their files. */
export function readSamples(folder: string): Map<string, Buffer> {
  const place = new URL(`../../samples/${folder}/`, import.meta.url);
  return new Map(
    readdirSync(place)
      .filter((file) => file.endsWith(".xml"))
      .sort()
      .map((file) => [file, readFileSync(new URL(file, place))]),
  );
}
