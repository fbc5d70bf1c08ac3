// Libraries format by `navigator.language` as they load, uPlot among them. Chromium under LANG=C names `en-US@posix`, which
// Intl refuses with a RangeError: the module, and the screen that needs it, would never load.

/** The language of the console's own words and formats. */
const fallback = "en-GB";

function isKnown(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

if (!isKnown(navigator.language)) Object.defineProperty(navigator, "language", { value: fallback });
