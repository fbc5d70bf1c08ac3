import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import { exchangeOf, longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { determinationQuery } from "#/modules/carriers/determination/determination-contract.ts";
import { createDraftRuns } from "#/modules/carriers/simulation/drafts.ts";
import { simulate } from "#/modules/carriers/simulation/simulation.ts";
import { simulation, simulationRequest } from "#/modules/carriers/simulation/simulation-contract.ts";

export type SimulationRoutesContext = Pick<ServiceContext, "database">;

/** A draft with price matrices for all of Europe has more than 1 MiB. The event loop parses it. */
const draftBytesMax = 2 * 1024 * 1024;
/** A proxy usually allows an answer thirty seconds. */
const limits = { decisionsMax: 100_000, msMax: 25_000 } as const;

/** `POST /carrier/simulate` (contract carriers.md, Back-test). */
export function addSimulationRoutes(service: HttpServer, { database }: SimulationRoutesContext): void {
  /** Clients with a running back-test on this node: it occupies a processor for seconds. */
  const inProgress = new Set<string>();
  const drafts = createDraftRuns();
  service.addHook("onClose", () => drafts.close());

  service.post(
    "/carrier/simulate",
    {
      bodyLimit: draftBytesMax,
      schema: {
        operationId: "simulateCarriers",
        summary: "Effect of a draft of carrier data on past decisions",
        description:
          "Repeats the client's decisions of a period, each as of its time, and compares cost, service and days. At most 100 000 decisions and 25 seconds; one request at a time. Nothing is stored.",
        querystring: determinationQuery,
        body: simulationRequest,
        response: { 200: simulation },
      } as const,
      config: { ...answers(409, 422), answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const { from: fromText, to: toText, draft } = request.body;
      const [from, to] = [readDateTime(fromText), readDateTime(toText)];
      if (from === undefined || to === undefined || from >= to) {
        return refused(invalidRequest([{ pointer: "#/to", message: "must be a time after from" }]));
      }
      const clientId = clientIdOf(request);
      if (inProgress.has(clientId)) {
        return refused(
          problem("conflict", "A simulation of this client is in progress: send this one when it has ended."),
        );
      }
      inProgress.add(clientId);
      try {
        const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
        const { token, bodyText = "" } = exchangeOf(request);
        const simulated = await drafts.withDraft(clientId, token, { text: bodyText, draft }, (run) =>
          simulate(database, clientId, span, run, limits),
        );
        if (simulated.ok) return { from, to, ...simulated.value };
        const errors = simulated.fault.map(({ pointer, message }) => ({
          pointer: pointer.replace(/^#/, "#/draft"),
          message,
        }));
        const [first] = errors;
        return refused(problem("unprocessable", `${first?.pointer} ${first?.message}`, { errors }));
      } finally {
        inProgress.delete(clientId);
      }
    },
  );
}
