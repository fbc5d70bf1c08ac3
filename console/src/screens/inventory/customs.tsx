import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { destinationNames } from "./destination-names.ts";
import styles from "./inventory.module.css";

type Lack = components["schemas"]["ClientItemLack"];
type Identifiers = components["schemas"]["ClientProductIdentifiers"];

function identifiersText({ manufacturer, gtin, hasNoStandardId }: Identifiers): string {
  const standard = gtin === null ? (hasNoStandardId ? "no GTIN exists (Y081)" : "no GTIN") : `GTIN ${gtin}`;
  return `${manufacturer === null ? "no maker's identifier" : `maker ${manufacturer}`}, ${standard}`;
}

function Lacks({ lacks }: { readonly lacks: readonly Lack[] }) {
  if (lacks.length === 0) return <>complete</>;
  return (
    <ul>
      {lacks.map(({ code, field, needs, since, source }) => (
        <li key={code}>
          <strong>{field}</strong>: {needs}{" "}
          <span className={styles.source}>
            ({source}, since {since})
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Customs data of a product, and what it lacks for each destination. */
export function Customs({ clientId, sku }: { readonly clientId: string; readonly sku: string }) {
  const found = useAnswer("/client/item/customs", { query: { clientId, sku } });
  return (
    <Loaded query={found} what="The customs data" height={200}>
      {({ description, hsCode, countryOfOrigin, productIdentifiers, destinations }) => (
        <dl className={styles.customs} aria-label="Customs data">
          <dt>Declared as</dt>
          <dd>
            {description}, HS {hsCode ?? "not given"}, origin {countryOfOrigin ?? "not given"},{" "}
            {identifiersText(productIdentifiers)}
          </dd>
          {destinations.map(({ destination, lacks }) => (
            <div key={destination}>
              <dt>{destinationNames[destination] ?? destination}</dt>
              <dd>
                <Lacks lacks={lacks} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
