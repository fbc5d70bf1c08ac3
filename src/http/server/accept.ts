/**
 * The media type that a header `Accept` prefers among the offered ones (RFC 9110 §12.5.1); of equally good ones the
 * first.
 *
 * @returns undefined where the client accepts none of them
 */
export function chooseMediaType<MediaType extends string>(
  accept: string | undefined,
  offered: readonly MediaType[],
): MediaType | undefined {
  const ranges = rangesOf(accept);
  let [best, bestQuality]: [MediaType | undefined, number] = [undefined, 0];
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > bestQuality) [best, bestQuality] = [mediaType, quality];
  }
  return best;
}

/** True if a header `Accept` prefers no other media type to this one. */
export function isFirstChoice(accept: string | undefined, mediaType: string): boolean {
  return qualityOf(mediaType, rangesOf(accept)) === 1;
}

interface Range {
  readonly range: string;
  /** From 0, not accepted, to 1. */
  readonly quality: number;
}

const rangesOf = (accept: string | undefined) => (accept ?? "*/*").split(",").map(readRange);

function readRange(text: string): Range {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight);
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The most specific range that covers the media type decides. */
function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  const [type] = mediaType.split("/");
  for (const wanted of [mediaType, `${type}/*`, "*/*"]) {
    const found = ranges.find(({ range }) => range === wanted);
    if (found) return found.quality;
  }
  return 0;
}
