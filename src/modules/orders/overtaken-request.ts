import { moved, type Order, type OrderLine, withLines } from "#/modules/orders/aggregate.ts";

/** What has become of an order's cancel request by other means than the warehouse's answer. */
export interface OvertakenRequest {
  /** The same order where nothing of the request was overtaken. */
  readonly order: Order;
  /** Some of it was not there to be picked: nobody has it, so it is cancelled. */
  readonly hasCancelled: boolean;
  /** Some of it has left: it was too late. */
  readonly wasTooLate: boolean;
}

/**
 * A request asks for what the warehouse has: what is allocated, picked or packed. Where that becomes less than was asked
 * for, because it left or was not found, the request is answered to that extent, and ends when nothing of it is left.
 */
export function withoutOvertaken(order: Order): OvertakenRequest {
  let hasCancelled = false;
  let wasTooLate = false;
  const after = withLines(order, (line) => {
    const most = inHouse(line);
    if (line.cancelRequested <= most) return line;
    const { open, backordered } = line.buckets;
    const overtaken = line.cancelRequested - most;
    const ofOpen = Math.min(overtaken, open);
    const ofBackordered = Math.min(overtaken - ofOpen, backordered);
    hasCancelled ||= ofOpen + ofBackordered > 0;
    wasTooLate ||= overtaken > ofOpen + ofBackordered;
    const rest = moved(moved(line, "open", "cancelled", ofOpen), "backordered", "cancelled", ofBackordered);
    return { ...rest, cancelRequested: most };
  });
  if (!hasCancelled && !wasTooLate) return { order, hasCancelled, wasTooLate };
  const isOver = after.lines.every(({ cancelRequested }) => cancelRequested === 0);
  const ended = isOver ? { ...after, cancelRequestedAt: undefined, cancelReason: undefined } : after;
  return { order: ended, hasCancelled, wasTooLate };
}

const inHouse = ({ buckets: { allocated, picked, packed } }: OrderLine) => allocated + picked + packed;
