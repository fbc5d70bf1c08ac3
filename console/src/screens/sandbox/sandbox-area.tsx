import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import type { Pages } from "../../frame/area-pages.tsx";
import { counted } from "../../parts/counted.ts";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { CountFigure, Figure } from "../../parts/page/figure.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { useScope } from "../../scope.ts";
import { OrderInJson } from "./order-in-json.tsx";
import styles from "./sandbox.module.css";
import { SandboxReports } from "./sandbox-reports.tsx";
import { Pace, SandboxSettings, sandboxKey } from "./sandbox-settings.tsx";
import type { Sandbox } from "./sandbox-words.ts";
import { SandboxWork } from "./sandbox-work.tsx";

/** The simulated warehouse: its pace, its faults, and single steps of its work. */
export const sandboxPages: Pages = { "": SandboxScreen };

function SandboxScreen() {
  const { query } = useScope();
  const sandbox = useData([...sandboxKey, query], (signal) => api.GET("/sandbox/get", { params: { query }, signal }), {
    live: 5_000,
  });
  return (
    <Screen
      title="Sandbox"
      lead={sandbox.data && workText(sandbox.data)}
      actions={sandbox.data?.isOn ? <OrderInJson /> : undefined}
      figures={<Figures sandbox={sandbox.data} />}
    >
      <Loaded query={sandbox} what="The sandbox" height={480}>
        {(data) =>
          data.isOn ? (
            <div className={styles.stack}>
              <div className={styles.lists}>
                <SandboxWork facilities={data.facilities} />
                <div className={styles.stack}>
                  <Pace sandbox={data} />
                  <SandboxReports facilities={data.facilities} />
                </div>
              </div>
              <SandboxSettings sandbox={data} />
            </div>
          ) : (
            <Empty why="No simulated warehouse is running. It is switched off (CROSSDOCK_WAREHOUSE_SIM), its process has stopped, or this is production, which has none." />
          )
        }
      </Loaded>
    </Screen>
  );
}

/** "The simulated warehouse works at 10× in 2 facilities." */
function workText({ isOn, speed, facilities }: Sandbox): string {
  if (!isOn) return "The simulated warehouse is off.";
  if (speed === 0) return "The simulated warehouse is paused.";
  const working = facilities.filter(({ isSilent }) => !isSilent).length;
  return `The simulated warehouse runs at ${speed}× in ${counted(working, "facility", "facilities")}.`;
}

function Figures({ sandbox }: { readonly sandbox: Sandbox | undefined }) {
  const facilities = sandbox?.facilities ?? [];
  const jobs = facilities.flatMap((facility) => facility.jobs);
  const refused = facilities.flatMap(({ reports }) => reports).filter(({ outcome }) => outcome === "REFUSED").length;
  const inHand = facilities.reduce((sum, facility) => sum + facility.inHand, 0);
  const silent = facilities.filter(({ isSilent }) => isSilent).length;
  const isKnown = sandbox !== undefined;
  return (
    <>
      <Figure
        label="Active facilities"
        value={isKnown ? facilities.length - silent : undefined}
        to="/facilities"
        {...(silent > 0 ? { tone: "waiting" as const, hint: `${silent} silent` } : {})}
      />
      <Figure
        label="Pace"
        value={isKnown ? (sandbox.speed === 0 ? "Paused" : `${sandbox.speed}×`) : undefined}
        {...(sandbox?.speed === 0 ? { tone: "waiting" as const } : {})}
      />
      <Figure
        label="In progress"
        value={isKnown ? inHand : undefined}
        to="/orders"
        hint="orders, parcels and goods in"
      />
      <Figure
        label="Manual"
        value={isKnown ? jobs.filter(({ isByHand }) => isByHand).length : undefined}
        hint="of those that are next"
      />
      <CountFigure
        label="Reports refused"
        count={isKnown ? refused : undefined}
        to="/exceptions"
        hint="of the latest ones"
        tone="failed"
      />
    </>
  );
}
