import { useParams } from "react-router";
import { useAnswer } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { choiceName, DecisionTable } from "../../parts/decision.tsx";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { clientFact } from "../../parts/page/place-facts.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";

const payers = {
  SENDER: "paid by the sender and in the prices",
  BUYER: "paid by the buyer",
  NONE: "without an Incoterm",
} as const;

/** A past decision: the choice, and the reason of each rejection. */
export function DecisionPage() {
  const { clientId = "", decisionId = "" } = useParams();
  const decision = useAnswer("/client/carrier/decision/{decisionId}", { path: { decisionId }, query: { clientId } });
  return (
    <Loaded query={decision} what="The decision" height={480}>
      {(loaded) => (
        <DetailPage
          what="Carrier decision"
          id={decisionId}
          name={loaded.olpnId ?? loaded.orderId}
          clientId={clientId}
          back={{ to: "/carriers?tab=decisions", label: "Carriers" }}
          state={
            loaded.chosen === null ? (
              <ToneBadge tone="failed" text="No carrier fits" />
            ) : (
              <ToneBadge tone="done" text={choiceName(loaded.chosen)} />
            )
          }
          age={<Time at={loaded.decidedAt} />}
          facts={[
            clientFact(clientId),
            {
              name: "Order",
              value: loaded.orderId && <Go to={linkTo("order", clientId, loaded.orderId)}>{loaded.orderId}</Go>,
            },
            {
              name: "Parcel",
              value: loaded.olpnId && <Go to={linkTo("parcel", clientId, loaded.olpnId)}>{loaded.olpnId}</Go>,
            },
            { name: "Decided", value: <Time at={loaded.decidedAt} isExact /> },
            {
              name: "Carrier data",
              value: `version ${loaded.dataVersion} of ${loaded.dataOwner === "CLIENT" ? "the client" : "the operator"}`,
            },
            { name: "Rules that matched", value: loaded.rulesApplied.join(", ") || "none" },
            {
              name: "Flat duty",
              value:
                loaded.duty &&
                `${loaded.duty.eur} EUR on ${loaded.duty.tariffLines} tariff lines, ${payers[loaded.duty.paidBy ?? "NONE"]}`,
            },
            { name: "Warnings", value: loaded.warnings.join(" ") },
          ]}
          tabs={[{ key: "candidates", label: "Candidates", content: <DecisionTable decision={loaded} /> }]}
        />
      )}
    </Loaded>
  );
}
