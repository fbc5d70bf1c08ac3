import { ApiProblem, api } from "../../api.ts";
import { useData } from "../../data.ts";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { TabsInUrl } from "../../parts/page/detail-page.tsx";
import { Figure } from "../../parts/page/figure.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { Time } from "../../parts/time.tsx";
import { useScope } from "../../scope.ts";
import { BackTest } from "./back-test.tsx";
import { Decisions } from "./decisions.tsx";
import { DraftProvider, useDraft } from "./draft/draft.tsx";
import { DraftBar } from "./draft/draft-bar.tsx";
import { InvoicedCosts } from "./labels/invoice.tsx";
import { Manifests } from "./labels/manifests.tsx";
import { LabelPurchases } from "./labels/purchases.tsx";
import { LabelSources } from "./labels/sources.tsx";
import { TrackingCodes } from "./labels/tracking-codes.tsx";
import { Lanes } from "./lanes/lanes.tsx";
import { Prices } from "./prices/prices.tsx";
import { Rules } from "./rules.tsx";
import { Services } from "./services/services.tsx";
import { Tester } from "./tester.tsx";
import { Versions } from "./versions.tsx";

/** Carrier data of the operator, or of the client in the top bar, and its decisions. */
export function CarriersScreen() {
  const { clientId } = useScope();
  const set = useData(["carrierData", clientId ?? ""], async (signal) => {
    const query = clientId === undefined ? {} : { clientId };
    try {
      return await api.GET("/carrierData/get", { params: { query }, signal });
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return null;
      throw error;
    }
  });
  return (
    <Loaded query={set} what="The carrier data" height={480}>
      {(held) => (
        <DraftProvider key={`${clientId ?? ""} ${held?.version ?? 0}`} owner={clientId} held={held}>
          <Whole />
        </DraftProvider>
      )}
    </Loaded>
  );
}

function Whole() {
  const { owner, held, data } = useDraft();
  const rules = data.rules ?? [];
  const whose =
    owner === undefined
      ? "The operator's carrier data, in force for every client without separate carrier data."
      : held?.isOwn
        ? `${owner} has separate carrier data, which replace the operator's.`
        : `${owner} uses the operator's carrier data, shown here. A change creates carrier data for ${owner} alone.`;
  return (
    <Screen
      title="Carriers"
      lead={whose}
      figures={
        <>
          <Figure
            label="Version in force"
            value={held?.version ?? "none"}
            hint={held && <Time at={held.activatedAt} />}
            to="/carriers?tab=versions"
          />
          <Figure
            label="Carriers"
            value={new Set(data.services.map(({ carrierCode }) => carrierCode)).size}
            to="/carriers"
          />
          <Figure label="Services" value={data.services.length} to="/carriers" />
          <Figure label="Price matrices" value={data.rateCards.length} to="/carriers?tab=prices" />
          <Figure label="Rules" value={rules.length} to="/carriers?tab=rules" />
        </>
      }
    >
      <DraftBar />
      <TabsInUrl
        tabs={[
          { key: "services", label: "Services", content: <Services /> },
          { key: "prices", label: "Prices", content: <Prices /> },
          { key: "rules", label: "Rules", content: <Rules /> },
          { key: "tester", label: "Decision tester", content: <Tester /> },
          { key: "back-test", label: "Back-test", content: <BackTest /> },
          { key: "decisions", label: "Decisions", content: <Decisions /> },
          { key: "lanes", label: "Lanes", content: <Lanes /> },
          { key: "labels", label: "Labels", content: <LabelPurchases /> },
          { key: "manifests", label: "Manifests", content: <Manifests /> },
          { key: "invoiced-costs", label: "Invoiced costs", content: <InvoicedCosts /> },
          { key: "label-sources", label: "Label sources", content: <LabelSources /> },
          { key: "tracking-codes", label: "Tracking codes", content: <TrackingCodes /> },
          { key: "versions", label: "Versions", content: <Versions /> },
        ]}
      />
    </Screen>
  );
}
