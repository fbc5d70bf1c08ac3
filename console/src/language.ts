// Libraries such as uPlot format by `navigator.language` when they load. Under LANG=C, Chromium reports `en-US@posix`,
// for which Intl throws a RangeError. Then neither the module nor the screen that needs it loads.

/** The language of the console's texts and formats. */
const fallback = "en-GB";

function isKnown(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

if (!isKnown(navigator.language)) Object.defineProperty(navigator, "language", { value: fallback });
