import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { customsGoodsOf, rulesOf, unmetRules } from "#/kernel/values/customs-rules.ts";
import { attributeOf } from "#/kernel/values/extended-attributes.ts";
import { findItems, type StoredItem } from "#/modules/catalogue/index.ts";
import { crossesCustomsBorder, customsDestinationOf } from "#/modules/documents/index.ts";
import type { OrderContent } from "#/modules/orders/intake/check-order.ts";
import type { ClientTx } from "#/store/db/database.ts";

const skusMax = 1_000;

/**
 * The orders that cross a customs border without all customs data of their goods. The rules run beside the routing: an
 * order without a facility counts as leaving from the first of its client.
 */
export async function findLackingCustoms(
  tx: ClientTx,
  client: FeedClient,
  contents: readonly OrderContent[],
): Promise<ReadonlySet<OrderContent>> {
  const abroad = contents.flatMap((content) => {
    const destination = destinationOf(client, content);
    return destination === undefined ? [] : { content, destination };
  });
  if (abroad.length === 0) return new Set();
  const lines = abroad.flatMap(({ content }) => content.lines);
  const items = await readItems(tx, new Set(lines.map(({ sku }) => sku)));
  const parts = [...items.values()].flatMap(({ components }) => components.map(({ sku }) => sku));
  const components = await readItems(tx, new Set(parts.filter((sku) => !items.has(sku))));
  const isLacking = ({ content, destination }: (typeof abroad)[number]) =>
    content.lines.some(({ sku, extendedAttributes }) => {
      const item = items.get(sku);
      const origin = toAlpha2(attributeOf(extendedAttributes, "CountryOfOrigin") ?? "");
      // Papers declare the components of a kit, each with the attributes of its line.
      const goods = item?.components.length
        ? item.components.map((part) => items.get(part.sku) ?? components.get(part.sku) ?? { sku: part.sku })
        : [item ?? { sku }];
      return goods.some(
        (good) => rulesOf(unmetRules(customsGoodsOf(good, extendedAttributes, origin)), destination, false).length > 0,
      );
    });
  return new Set(abroad.filter(isLacking).map(({ content }) => content));
}

function destinationOf({ calendars = {}, facilities }: FeedClient, content: OrderContent) {
  const { country, zip } = content.shipToAddress ?? {};
  const from = calendars[content.distributionCentre ?? facilities[0] ?? ""];
  const to = toAlpha2(country ?? "");
  if (from?.country === undefined || to === undefined) return undefined;
  return crossesCustomsBorder(from.country, from.zip ?? undefined, to, zip) ? customsDestinationOf(to, zip) : undefined;
}

async function readItems(tx: ClientTx, skus: ReadonlySet<string>): Promise<ReadonlyMap<string, StoredItem>> {
  const all = [...skus];
  const pages = Array.from({ length: Math.ceil(all.length / skusMax) }, (_, i) =>
    findItems(tx, all.slice(i * skusMax, (i + 1) * skusMax)),
  );
  return new Map((await Promise.all(pages)).flat().map((item) => [item.sku, item]));
}
