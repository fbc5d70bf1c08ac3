import type { components } from "#operator";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { choiceName, DecisionTable } from "../../parts/decision.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { Time } from "../../parts/time.tsx";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

type Decision = components["schemas"]["ClientCarrierDecision"];

/** The newest decisions, up to this number, are shown in full. */
const decisionsMax = 10;

/** The carrier decisions of the order, with the reason of each rejection. */
export function OrderDecisions({ order }: { readonly order: Order }) {
  const { clientId, orderId } = order;
  const decisions = useData(["order-decisions", clientId, orderId], async (signal) => {
    const query = { clientId, kind: ["DECISION" as const], limit: 500 };
    const found = await api.GET("/order/timeline/{orderId}", { params: { path: { orderId }, query }, signal });
    const ids = found.items.flatMap(({ link }) => link?.id ?? []).slice(-decisionsMax);
    return Promise.all(
      ids.toReversed().map((decisionId) => {
        const params = { path: { decisionId }, query: { clientId } };
        return api.GET("/client/carrier/decision/{decisionId}", { params, signal });
      }),
    );
  });
  return (
    <Loaded query={decisions} what="The carrier decisions">
      {(all) =>
        all.length === 0 ? (
          <Empty why="No carrier determined yet. It is determined when a parcel is packed, unless the warehouse names a carrier." />
        ) : (
          <div className={styles.parcels}>
            {all.map((decision) => (
              <DecisionBox key={decision.decisionId} decision={decision} facility={order.distributionCentre} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function DecisionBox({ decision, facility }: { readonly decision: Decision; readonly facility: string }) {
  const { chosen, olpnId, rulesApplied, warnings } = decision;
  const title = `${chosen === null ? "No carrier" : choiceName(chosen)} for ${olpnId === null ? "the order" : `parcel ${olpnId}`}`;
  const owner = decision.dataOwner === "CLIENT" ? "the client’s own" : "the operator’s";
  const rules = rulesApplied.length === 0 ? "" : ` Rules: ${rulesApplied.join(", ")}.`;
  return (
    <Section
      title={title}
      note={
        <>
          Decided <Time at={decision.decidedAt} facility={facility} /> by version {decision.dataVersion} of {owner}{" "}
          carrier data.{rules} {warnings.join(" ")}
        </>
      }
    >
      <DecisionTable decision={decision} />
    </Section>
  );
}
