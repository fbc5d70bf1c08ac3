import { isCurrency } from "#/kernel/currency.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import type { OrderRequest } from "#/modules/orders/intake/contract.ts";

interface Unit {
  readonly path: string;
  readonly code: string;
}

/** An order has one currency: every `unit` is ISO 4217 and the same. The first one named is the order's. */
export function checkCurrencies(raw: OrderRequest): {
  readonly currency: string | undefined;
  readonly faults: Finding[];
} {
  const units = [...unitsOf(raw)];
  const currency = units.find(({ code }) => isCurrency(code))?.code;
  const faults = units.flatMap(({ path, code }) => {
    if (!isCurrency(code)) return [finding("VALUE", `${path}/@unit: '${code}' is not a currency code of ISO 4217`)];
    if (code !== currency)
      return [finding("VALUE", `${path}/@unit: '${code}' differs from '${currency}', the currency of the order`)];
    return [];
  });
  return { currency, faults };
}

function* unitsOf(raw: OrderRequest): Generator<Unit> {
  for (const name of ["shippingCost", "subtotal", "totalPrice", "taxes"] as const) {
    const code = raw[name]?.unit;
    if (code !== undefined) yield { path: name, code };
  }
  const lines = raw.lines ?? [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    for (const name of ["lineTotal", "taxes", "unitNetPrice", "extendedUnitNetPrice", "unitGrossPrice"] as const) {
      const code = line?.[name]?.unit;
      if (code !== undefined) yield { path: `lines/line${lines.length === 1 ? "" : `[${i + 1}]`}/${name}`, code };
    }
  }
}
