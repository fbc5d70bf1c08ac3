/** Reads printed documents back with independent tools: poppler for text, positions and images, zbar for bar codes. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Packages to install if documents cannot be read back; undefined if they can. */
export function readersMissing(): string | undefined {
  const tools = [
    ["pdftotext", "poppler-utils"],
    ["pdftoppm", "poppler-utils"],
    ["zbarimg", "zbar-tools"],
  ] as const;
  const missing = tools.find(([tool]) => spawnSync(tool, ["--help"], { stdio: "ignore" }).error !== undefined);
  return missing && `${missing[0]} is not on the PATH (Debian: ${missing[1]})`;
}

function read(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (error) throw error;
  // zbarimg exits with 4 if it finds nothing.
  if (status !== 0 && !(command === "zbarimg" && status === 4))
    throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}

function withFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "crossdock-paper-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withFile<T>(name: string, bytes: Uint8Array, use: (file: string, folder: string) => T): T {
  return withFolder((folder) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return use(file, folder);
  });
}

/**
 * The text of each page, as selected and copied by a reader.
 *
 * @param order drawing order, or the reading order according to the tool. Only the latter puts Hebrew and Arabic words
 * in order.
 */
export function textOfPages(pdf: Uint8Array, order: "drawn" | "read" = "drawn"): string[] {
  const options = [...(order === "drawn" ? ["-raw"] : []), "-enc", "UTF-8"];
  return withFile("paper.pdf", pdf, (file) =>
    read("pdftotext", [...options, file, "-"])
      .split("\f")
      .slice(0, -1),
  );
}

export interface PlacedWord {
  readonly page: number;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The position of each word, in points. */
export function wordsOf(pdf: Uint8Array): PlacedWord[] {
  const html = withFile("paper.pdf", pdf, (file) => read("pdftotext", ["-bbox", "-enc", "UTF-8", file, "-"]));
  return html
    .split("<page ")
    .slice(1)
    .flatMap((page, i) =>
      [...page.matchAll(/<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">(.*?)<\/word>/g)].map(
        ([, left, top, right, bottom, text]) => ({
          page: i + 1,
          text: text as string,
          left: Number(left),
          top: Number(top),
          right: Number(right),
          bottom: Number(bottom),
        }),
      ),
    );
}

/** The bar codes on all pages, at the 203 dpi of a label printer. */
export function barcodesOfPdf(pdf: Uint8Array): string[] {
  return withFile("paper.pdf", pdf, (file, folder) => {
    read("pdftoppm", ["-r", "203", "-png", file, join(folder, "page")]);
    const pages = readdirSync(folder).filter((name) => name.endsWith(".png"));
    return pages.sort().flatMap((page) => barcodes(join(folder, page)));
  });
}

export function barcodesOfPng(png: Uint8Array): string[] {
  return withFile("paper.png", png, barcodes);
}

function barcodes(file: string): string[] {
  return read("zbarimg", ["--quiet", file]).split("\n").filter(Boolean);
}
