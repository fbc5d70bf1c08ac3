// Other programs read the papers as the tests of the papers do: poppler their text, zbar their bar codes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { printCn22 } from "#/modules/documents/papers/cn22.ts";
import { printCn23 } from "#/modules/documents/papers/cn23.ts";
import { printCommercialInvoice } from "#/modules/documents/papers/commercial-invoice.ts";
import { printPackingSlip } from "#/modules/documents/papers/packing-slip.ts";
import { printShippingLabel } from "#/modules/documents/papers/shipping-label.ts";
import { atEnd } from "../support/app/at-end.ts";
import { declaration, invoice, label, lodz, longestLabel, longestSlip, slip } from "../support/papers/papers.ts";
import { barcodesOfPdf, textOfPages, wordsOf } from "../support/papers/printed-papers.ts";
import { isThere } from "./programs.ts";

const folder = mkdtempSync(path.join(tmpdir(), "crossdock-papers-"));
atEnd(() => rm(folder, { recursive: true, force: true }));

const papers: Readonly<Record<string, Uint8Array>> = {
  slip: printPackingSlip(slip({ giftMessage: "Łódź Ελλάδα Київ ffi" })),
  "longest slip": printPackingSlip(longestSlip({ language: "fr" })),
  label: printShippingLabel(label({ shipTo: lodz })),
  "longest label": printShippingLabel(longestLabel()),
  invoice: printCommercialInvoice(invoice()),
  "CN 22": printCn22(declaration()),
  "CN 23": printCn23(declaration()),
};

function read(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  assert.equal(status, 0, `${program}: ${stderr}`);
  return stdout;
}

function fileOf(name: string): string {
  const file = path.join(folder, `${name}.pdf`);
  writeFileSync(file, papers[name] as Uint8Array);
  return file;
}

/** The letters of a page, without blanks, in no order: two programs order the columns of a page differently. */
const lettersOf = (text: string) => [...text.normalize("NFC").replaceAll(/\s/g, "")].sort().join("");

if (isThere("pdftotext", "poppler-utils")) {
  for (const [name, pdf] of Object.entries(papers)) {
    test(`poppler finds the same letters on each page of the ${name}`, () => {
      const pages = read("pdftotext", "-raw", "-enc", "UTF-8", fileOf(name), "-").split("\f").slice(0, -1);
      assert.deepEqual(pages.map(lettersOf), textOfPages(pdf).map(lettersOf));
    });
  }

  test("poppler finds the words of a label at the same places", () => {
    const html = read("pdftotext", "-bbox", "-enc", "UTF-8", fileOf("label"), "-");
    const found = new Map(
      [...html.matchAll(/<word xMin="([^"]+)" yMin="[^"]+" xMax="([^"]+)" yMax="[^"]+">(.*?)<\/word>/g)].map(
        ([, left, right, text]) => [text, [Number(left), Number(right)]],
      ),
    );
    const words = wordsOf(papers.label as Uint8Array).filter(({ text }) => found.has(text));
    assert.ok(words.length > 20, `${words.length} words`);
    for (const { text, left, right } of words) {
      const [otherLeft = 0, otherRight = 0] = found.get(text) ?? [];
      const isOnce = words.filter((word) => word.text === text).length === 1;
      if (isOnce) assert.ok(Math.abs(left - otherLeft) < 1 && Math.abs(right - otherRight) < 1, text);
    }
  });
}

if (isThere("pdftoppm", "poppler-utils") && isThere("zbarimg", "zbar-tools")) {
  test("zbar reads the SSCC off a label that poppler has drawn", async () => {
    for (const name of ["label", "longest label"]) {
      read("pdftoppm", "-r", "203", "-png", fileOf(name), path.join(folder, name));
      const pages = readdirSync(folder).filter((file) => file.startsWith(`${name}-`) && file.endsWith(".png"));
      const codes = pages.map((page) => read("zbarimg", "--quiet", "--raw", path.join(folder, page)).trim());
      const expected = await barcodesOfPdf(papers[name] as Uint8Array);
      assert.deepEqual(
        codes,
        expected.map((code) => code.replace("Code128:(00)", "00")),
      );
    }
  });
}
