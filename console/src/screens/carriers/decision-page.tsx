import { useParams } from "react-router";
import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { choiceName, DecisionTable } from "../../parts/decision.tsx";
import { DetailPage } from "../../parts/detail-page.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";

/** A past decision: the choice, and the reason of each rejection. */
export function DecisionPage() {
  const { clientId = "", decisionId = "" } = useParams();
  const decision = useData(["decision", clientId, decisionId], (signal) => {
    const params = { path: { decisionId }, query: { clientId } };
    return unwrap(api.GET("/client/carrier/decision/{decisionId}", { params, signal }));
  });
  return (
    <Loaded query={decision} what="The decision" height={480}>
      {(it) => (
        <DetailPage
          what="Decision"
          id={decisionId}
          back={{ to: "/carriers?tab=decisions", label: "Carriers" }}
          state={
            it.chosen === null ? (
              <ToneBadge tone="failed" text="No carrier fits" />
            ) : (
              <ToneBadge tone="done" text={choiceName(it.chosen)} />
            )
          }
          age={<Time at={it.decidedAt} />}
          facts={
            <Facts
              facts={[
                { name: "Client", value: clientId },
                {
                  name: "Order",
                  value: it.orderId && (
                    <Go to={`/orders/${encodeURIComponent(clientId)}/${encodeURIComponent(it.orderId)}`}>
                      {it.orderId}
                    </Go>
                  ),
                },
                { name: "Parcel", value: it.olpnId },
                { name: "Decided", value: <Time at={it.decidedAt} isExact /> },
                {
                  name: "Carrier data",
                  value: `version ${it.dataVersion} of ${it.dataOwner === "CLIENT" ? "the client" : "the operator"}`,
                },
                { name: "Rules that matched", value: it.rulesApplied.join(", ") || "none" },
                { name: "Warnings", value: it.warnings.join(" ") },
              ]}
            />
          }
          tabs={[{ key: "candidates", label: "Candidates", content: <DecisionTable decision={it} /> }]}
        />
      )}
    </Loaded>
  );
}
