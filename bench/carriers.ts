import { parseArgs } from "node:util";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import { decide } from "#/modules/carriers/decision/decide.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";
import { measureOverHttp } from "./carriers/http.ts";
import { benchFacility, makeRequests, makeWorld } from "./carriers/world.ts";
import { machine, median } from "./feeds/machine.ts";

/**
 * Measures how many decisions a second one process makes, from the request to the answer with all its reasons, and how
 * many the product answers over HTTP, storing each one. `--only in-process` or `--only http` runs one of the two, `--only
 * promises` measures promises of baskets instead.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "7" },
      decisions: { type: "string", default: "20000" },
      seconds: { type: "string", default: "10" },
      only: { type: "string" },
    },
  });
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds), size };
  if (values.only === "promises") return measureOverHttp({ ...plan, of: "promises" });
  if (values.only !== "http") measureInProcess(Number(values.rounds), Number(values.decisions));
  if (values.only === "in-process") return;
  await measureOverHttp(plan);
}

const size = { services: 50, zones: 200, rules: 1_000 };
const goalPerSecond = 20_000;

function measureInProcess(rounds: number, decisions: number): void {
  const data = makeWorld(size);
  const checkedAtMs = performance.now();
  const checked = checkCarrierData(data);
  if (!checked.ok) throw new Error(JSON.stringify(checked.fault.slice(0, 5)));
  const compiledAtMs = performance.now();
  const compiled = compileCarrierData(data, 1);
  const compileMs = performance.now() - compiledAtMs;
  console.log(
    `${size.services} services, ${size.zones} zones each, ${size.rules} rules: checked in ${(compiledAtMs - checkedAtMs).toFixed(0)} ms, compiled in ${compileMs.toFixed(0)} ms`,
  );
  const requests = makeRequests(2_000);
  const startMs = Date.parse("2026-11-20T10:00:00Z");
  const counts = { fitting: 0, reasons: 0, nobody: 0 };
  const perSecond: number[] = [];
  const perProcessorSecond: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const beganMs = performance.now();
    const usedBefore = process.cpuUsage();
    for (let i = 0; i < decisions; i++) {
      const request = requests[i % requests.length];
      const shipment = request && readShipment(request, benchFacility);
      if (!shipment?.ok) throw new Error(JSON.stringify(shipment));
      // Spreads the moments of the decisions over a working day.
      const { chosen, alternatives, rejected } = decide(compiled, shipment.value, startMs + (i % 36_000) * 1_000);
      counts.fitting += alternatives.length + (chosen ? 1 : 0);
      counts.nobody += chosen ? 0 : 1;
      counts.reasons += rejected.reduce((sum, { reasons }) => sum + reasons.length, 0);
    }
    // The first round warms up.
    if (round === 0) continue;
    const used = process.cpuUsage(usedBefore);
    perSecond.push((decisions / (performance.now() - beganMs)) * 1_000);
    perProcessorSecond.push((decisions / (used.user + used.system)) * 1e6);
  }
  const all = decisions * (rounds + 1);
  const perDecision = (count: number) => (count / all).toFixed(1);
  console.log(
    `a decision: ${perDecision(counts.fitting)} fit, ${perDecision(counts.reasons)} reasons against the others; none fits ${counts.nobody} of ${all}`,
  );
  console.log(`decisions/s in process, by round: ${perSecond.map((value) => value.toFixed(0)).join(" · ")}`);
  console.log(`decisions per second of processor time: median ${median(perProcessorSecond).toFixed(0)}`);
  const middle = median(perSecond);
  console.log(`median ${middle.toFixed(0)}, goal ${goalPerSecond}: ${middle >= goalPerSecond ? "held" : "missed"}`);
}
