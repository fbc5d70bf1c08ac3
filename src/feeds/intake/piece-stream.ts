import { type Piece, WholeNeededError } from "#/feeds/intake/definition.ts";
import type { Intake } from "#/feeds/intake/intake.ts";
import { within } from "#/kernel/concurrency/deadline.ts";

/**
 * A transaction that has written pieces holds locks: it waits this long for the next one. A thread reads a piece in some
 * 20 ms, or 200 ms on a busy machine. The server ends a transaction that is idle for 5 s.
 */
export const pieceMsMax = 2_000;

/** The pieces of a list that a thread is still reading. Any number of readers get them all, from the first on. */
export interface PieceStream extends AsyncIterable<Piece> {
  /** The pieces so far. */
  readonly arrived: readonly Piece[];
  add(piece: Piece): void;
  /** No piece follows. Counts once. @param isWhole false where the document has a fault, or its end is not known */
  end(isWhole: boolean): void;
}

export function createPieceStream(msMax = pieceMsMax): PieceStream {
  const arrived: Piece[] = [];
  let state: "OPEN" | "WHOLE" | "VOID" = "OPEN";
  let change = Promise.withResolvers<void>();
  const note = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  return {
    arrived,
    add(piece) {
      arrived.push(piece);
      note();
    },
    end(isWhole) {
      if (state !== "OPEN") return;
      state = isWhole ? "WHOLE" : "VOID";
      note();
    },
    async *[Symbol.asyncIterator]() {
      for (let place = 0; ; ) {
        if (state === "VOID") throw new WholeNeededError("the document has a fault, or its end is not known");
        const piece = arrived[place];
        if (piece !== undefined) {
          place++;
          yield piece;
        } else if (state === "WHOLE") return;
        else await within(change.promise, msMax, () => new WholeNeededError("the next piece is late"));
      }
    },
  };
}

/** Ends the stream, and puts the pieces that came ahead into their document. */
export function joinPieces(intake: Intake, pieces: PieceStream): Intake {
  if (pieces.arrived.length === 0) return intake;
  const { reading } = intake;
  const { checked, isPosted = false } = reading;
  const isUsable = isPosted && checked !== undefined;
  pieces.end(isUsable && reading.faults.length === 0);
  if (!isUsable) return intake;
  const all = [...pieces.arrived, ...(checked.pieces ?? [])];
  return { ...intake, reading: { ...reading, checked: { ...checked, pieces: all } } };
}
