import { Tooltip } from "@mantine/core";
import { Funnel, type Stage } from "../../parts/charts/funnel.tsx";
import { HeatMap } from "../../parts/charts/heat-map.tsx";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { duration } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tones.ts";
import { type StageName, stageNames } from "../orders/stage-names.ts";
import styles from "./overview.module.css";
import { type FlowStage, useFlow } from "./overview-data.ts";
import { linksOf } from "./overview-links.ts";

const tones: Partial<Record<StageName, Tone>> = {
  ON_HOLD: "waiting",
  BACKORDERED: "waiting",
  DELIVERED_TODAY: "done",
};

/** Orders per stage from receipt to delivery, with their ages, and those at risk. */
export function Stages() {
  const flow = useFlow();
  return (
    <Section
      title="Orders by stage"
      note="Ages count from receipt. At risk: due to leave within the hour; late: past the despatch time."
    >
      <Loaded query={flow} what="The flow of orders" height={stagesHeight}>
        {({ stages }) => <Funnel label="Orders by stage" unit="orders" stages={stages.map(stageOf)} />}
      </Loaded>
    </Section>
  );
}

/** Height in pixels: ten rows of 29. */
const stagesHeight = 290;

function stageOf(stage: FlowStage): Stage {
  return {
    name: stageNames[stage.stage],
    count: stage.count,
    tone: tones[stage.stage] ?? "moving",
    to: linksOf.stage(stage.stage),
    note: <Note stage={stage} />,
  };
}

function Note({ stage: { stage, oldestSeconds, medianSeconds, atRisk, late } }: { readonly stage: FlowStage }) {
  return (
    <span className={styles.note}>
      {late > 0 ? (
        <Go to={linksOf.late(stage)} isPlain className={styles.badge} label={`${late} late, ${stageNames[stage]}`}>
          <ToneBadge tone="failed" text={`${late.toLocaleString("en-GB")} late`} />
        </Go>
      ) : null}
      {atRisk > 0 ? (
        <Go
          to={linksOf.atRisk(stage)}
          isPlain
          className={styles.badge}
          label={`${atRisk} at risk, ${stageNames[stage]}`}
        >
          <ToneBadge tone="waiting" text={`${atRisk.toLocaleString("en-GB")} at risk`} />
        </Go>
      ) : null}
      <OldestAge stage={stage} oldestSeconds={oldestSeconds} medianSeconds={medianSeconds} />
    </span>
  );
}

function OldestAge({
  stage,
  oldestSeconds,
  medianSeconds,
}: Pick<FlowStage, "stage" | "oldestSeconds" | "medianSeconds">) {
  if (oldestSeconds === null || medianSeconds === null) return <span className={styles.ages}>–</span>;
  const [oldest, median] = [duration(oldestSeconds * 1000), duration(medianSeconds * 1000)];
  const isEnd = stage === "DELIVERED_TODAY";
  return (
    <Tooltip label={isEnd ? `half took longer, the longest ${oldest}` : `half are older than ${median}`}>
      <span className={styles.ages}>
        {isEnd ? (
          `median ${median}`
        ) : (
          <Go to={linksOf.oldest(stage)} isPlain isBesideAnother className={styles.oldest}>
            oldest {oldest}
          </Go>
        )}
      </span>
    </Tooltip>
  );
}

const ageNames = ["< 1 h", "1–4 h", "4–24 h", "1–3 d", "> 3 d"];

/** The same orders by age, darker for older ones. */
export function StageAges() {
  const flow = useFlow();
  return (
    <Section title="Age by stage" note="Since receipt, for orders that have not arrived.">
      <Loaded query={flow} what="The ages of orders" height={agesHeight}>
        {({ stages, asOf }) => (
          <HeatMap
            label="Orders by stage and age"
            unit="orders"
            rowsName="Stage"
            columnsName="Age"
            columns={ageNames}
            scale="age"
            rows={stages
              .filter(({ stage }) => stage !== "DELIVERED_TODAY")
              .map((stage) => ({
                name: stageNames[stage.stage],
                cells: stage.ages.map(({ count, underSeconds: upTo }, i) => {
                  const over = stage.ages[i - 1]?.underSeconds ?? null;
                  return { value: count, ...(count > 0 ? { to: linksOf.age(stage.stage, asOf, { over, upTo }) } : {}) };
                }),
              }))}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Height in pixels: a header, nine rows of 32, and the unit. */
const agesHeight = 346;
