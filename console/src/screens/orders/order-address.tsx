import { countryName } from "../../parts/country.ts";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

type Address = NonNullable<Order["shipToAddress"]>;

const money = (currency: string | null) =>
  new Intl.NumberFormat("en-GB", {
    minimumFractionDigits: 2,
    ...(currency === null ? {} : { style: "currency" as const, currency, currencyDisplay: "code" as const }),
  });

/** "EUR 109.15". */
export function amountText({ amount, currency }: { amount: number; currency: string | null }): string {
  return money(currency).format(amount);
}

/** Recipient and address, in the lines of a label. */
export function AddressText({ address }: { readonly address: Address }) {
  const lines = [
    [address.title, address.firstName, address.lastName],
    [address.companyName, address.department],
    [address.address1, address.address2],
    [address.zip, address.city, address.state],
    [address.country && countryName(address.country)],
    [address.phone ?? address.mobile, address.email],
  ].map((parts) => parts.filter(Boolean).join(" "));
  return (
    <address className={styles.address}>
      {lines.filter(Boolean).map((line) => (
        <span key={line}>{line}</span>
      ))}
    </address>
  );
}
