import { notInStock } from "#/modules/orders/allocation/allocation.ts";
import { shortageReasons } from "#/modules/orders/allocation/shortage-reason.ts";
import { cancelReason } from "#/modules/orders/intake/feed-changes.ts";
import { holdMeanings } from "#/modules/orders/order.ts";

const sentences = [cancelReason, notInStock, "not in stock for [0-9]+ days", "[A-Z][A-Z0-9_]*"];
/** Up to the list of SKUs, or to the text that a person has typed. */
const starts = [...shortageReasons.map((start) => start.replace(/: SKU $/, "")), ...Object.keys(holdMeanings)];

/**
 * Matches the beginning of a statusReason that the platform words itself: all that is left of it when the personal data
 * of an order are erased. A reason that a person has typed does not match. For PostgreSQL and JavaScript; `'` may be
 * `&apos;` in XML.
 */
export const keptReason = `^(?:(?:${sentences.join("|")})$|(?:${starts.join("|")})(?=: ))`.replaceAll(
  "'",
  "(?:'|&apos;)",
);
