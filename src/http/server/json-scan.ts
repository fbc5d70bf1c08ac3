export interface JsonBounds {
  /** Of the whole text. */
  readonly valuesMax: number;
  /** Of one object. */
  readonly fieldsMax: number;
}

/** A list on the stack of counts: its items count as values alone. */
const list = Number.NEGATIVE_INFINITY;

/**
 * Counts the values of a JSON text as it arrives. `JSON.parse` reads one text of 24 MiB in 0.15 s, and as many bytes of
 * small values in 4 s, without a turn for other requests.
 *
 * @returns a function that takes the next chunk, and returns whether the text so far is within the bounds.
 */
export function createJsonScan({ valuesMax, fieldsMax }: JsonBounds): (chunk: Uint8Array) => boolean {
  let values = 0;
  /** The commas so far in each open object. */
  const commas: number[] = [];
  let isText = false;
  let isEscaped = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === 0x5c) isEscaped = true;
        else if (byte === 0x22) isText = false;
        continue;
      }
      switch (byte) {
        case 0x22: // "
          isText = true;
          break;
        case 0x2c: {
          // ,
          values++;
          const count = (commas.pop() ?? list) + 1;
          if (count >= fieldsMax) return false;
          commas.push(count);
          break;
        }
        case 0x5b: // [
        case 0x7b: // {
          values++;
          commas.push(byte === 0x5b ? list : 0);
          break;
        case 0x5d: // ]
        case 0x7d: // }
          commas.pop();
      }
    }
    return values <= valuesMax;
  };
}
