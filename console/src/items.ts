import { api } from "./api.ts";
import { useData } from "./data.ts";

/** The most SKUs of one request. */
const skusMax = 1_000;

/** The items of the catalogue by their SKU, of at most 1,000 different SKUs; empty while loading. */
export function useItems(clientId: string, lines: readonly { readonly sku: string }[]) {
  const skus = [...new Set(lines.map(({ sku }) => sku))].slice(0, skusMax);
  const { data } = useData(
    ["items", clientId, skus],
    (signal) => api.POST("/client/findItemBySkuList", { body: { clientId, skus }, signal }),
    { isReady: skus.length > 0 },
  );
  return new Map(data?.items.map((item) => [item.sku, item]));
}
