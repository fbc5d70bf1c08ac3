import { Select } from "@mantine/core";
import { useParams, useSearchParams } from "react-router";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useAnswer, useData } from "../../data.ts";
import { useFacilities } from "../../directory.ts";
import { linkTo } from "../../links.ts";
import { Id } from "../../parts/id.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { clientFact } from "../../parts/page/place-facts.tsx";
import { qtyText } from "../../parts/qty.tsx";
import { useScope, useSetParams } from "../../scope.ts";
import { AddStockButton } from "./adjust/add-stock-button.tsx";
import { Balances } from "./balances.tsx";
import { CountButton } from "./counts/count-button.tsx";
import { Customs } from "./customs.tsx";
import { Expected } from "./expected.tsx";
import styles from "./inventory.module.css";
import { Lots } from "./lots.tsx";
import { Statement } from "./statement.tsx";
import { CreateTransferButton } from "./transfers/create-transfer-button.tsx";
import { Waiting } from "./waiting.tsx";

type DangerousGoods = components["schemas"]["ClientDangerousGoods"];

function goodsWords({ unNumber, hazardClass, packingGroup, isLimitedQuantity }: DangerousGoods): string {
  const words = [
    unNumber,
    hazardClass && `class ${hazardClass}`,
    packingGroup && `packing group ${packingGroup}`,
    isLimitedQuantity && "limited quantity",
  ].filter(Boolean);
  return words.join(", ") || "yes, without a UN number";
}

interface ComponentsProps {
  readonly clientId: string;
  readonly parts: readonly components["schemas"]["ClientKitComponent"][];
}

function Components({ clientId, parts }: ComponentsProps) {
  return (
    <ul className={styles.components}>
      {parts.map(({ sku, qty }) => (
        <li key={sku}>
          {qtyText(qty)} × <Id text={sku} to={linkTo("sku", clientId, sku)} />
        </li>
      ))}
    </ul>
  );
}

/** A product of a client: its stock by lot, and the ledger of a facility as a running statement. */
export function ProductPage() {
  const { clientId = "", sku = "" } = useParams();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const facilities = useFacilities();
  const { distributionCentre } = useScope();
  const levels = useData(
    ["stock", clientId, sku],
    async (signal) => {
      const query = { clientId, text: sku, limit: 500 };
      const { items } = await api.GET("/stock/list", { params: { query }, signal });
      return items.filter((level) => level.sku === sku);
    },
    { live: 10_000 },
  );
  const item = useAnswer("/client/findItemBySku", { query: { clientId, sku } });
  const places = levels.data?.map((level) => level.distributionCentre) ?? [];
  const at = params.get("at") ?? distributionCentre ?? places[0];
  const countable = [...new Set([...places, ...(at === undefined ? [] : [at])])];
  const nameOf = (code: string) => facilities.find(({ facilityCode }) => facilityCode === code)?.name ?? code;

  const known = item.data?.found === true ? item.data : undefined;
  const stock = useAnswer(
    "/client/findInventoryBySku",
    { query: { clientId, sku, distributionCentre: at ?? "" } },
    { isReady: at !== undefined },
  );
  const kit = stock.data?.items[0]?.kit;
  const inTransit = stock.data?.items[0]?.inTransit ?? 0;
  const isUnknown = item.data?.found === false && levels.data?.length === 0;
  const facts = [
    clientFact(clientId),
    { name: "EAN", value: known?.eanCode },
    { name: "Stock unit", value: known?.stockUom },
    ...(known?.components?.length
      ? [
          { name: "Components of a kit", value: <Components clientId={clientId} parts={known.components} /> },
          { name: `Made of components${at === undefined ? "" : ` at ${at}`}`, value: kit?.text },
        ]
      : []),
    ...(known?.dangerousGoods ? [{ name: "Dangerous goods", value: goodsWords(known.dangerousGoods) }] : []),
    {
      name: "In all facilities",
      value: levels.data && qtyText(levels.data.reduce((sum, { onHand }) => sum + onHand, 0)),
    },
    ...(inTransit > 0 ? [{ name: `In transit to ${at}`, value: qtyText(inTransit) }] : []),
    {
      name: "Source",
      value: known
        ? "a catalogue of the client"
        : places.length > 0 && item.data !== undefined && "stock only, no catalogue",
    },
  ];
  const choice = (
    <Select
      label="Facility of the statement"
      data={countable.map((code) => ({
        value: code,
        label: `${code} · ${nameOf(code)}`,
      }))}
      value={at ?? null}
      allowDeselect={false}
      onChange={(code) => setParams({ at: code })}
      w={280}
    />
  );
  const waiting = { key: "waiting", label: "Waiting", content: <Waiting clientId={clientId} sku={sku} /> };
  const statement = {
    key: "statement",
    label: "Statement",
    content:
      at === undefined ? (
        <Empty why="No facility has had stock of this SKU." />
      ) : (
        <div className={styles.pair}>
          {choice}
          <Statement key={at} clientId={clientId} sku={sku} facility={at} />
        </div>
      ),
  };
  return (
    <DetailPage
      what="Product"
      id={sku}
      name={known?.name ?? null}
      clientId={clientId}
      back={{ to: "/inventory", label: "Inventory" }}
      notice={
        isUnknown ? (
          <Notice tone="waiting" title="There is no such product">
            No catalogue of {clientId} names {sku}, and no facility has any of it.
          </Notice>
        ) : undefined
      }
      actions={
        <>
          <CountButton key={at} clientId={clientId} sku={sku} facilities={countable} at={at} />
          <CreateTransferButton key={`move ${at}`} clientId={clientId} sku={sku} at={at} />
          {known === undefined ? null : <AddStockButton key={`add ${at}`} clientId={clientId} sku={sku} at={at} />}
        </>
      }
      facts={facts}
      timeline={
        <Loaded query={levels} what="The stock" height={160}>
          {(rows) => <Balances levels={rows} at={at} />}
        </Loaded>
      }
      tabs={[
        // Without stock, who waits is what a reader looks for.
        ...(levels.data?.length === 0 ? [waiting, statement] : [statement, waiting]),
        { key: "expected", label: "Expected", content: <Expected clientId={clientId} sku={sku} /> },
        { key: "lots", label: "Lots", content: <Lots clientId={clientId} sku={sku} /> },
        ...(known === undefined
          ? []
          : [{ key: "customs", label: "Customs", content: <Customs clientId={clientId} sku={sku} /> }]),
      ]}
    />
  );
}
