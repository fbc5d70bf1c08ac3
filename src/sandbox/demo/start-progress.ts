/** The parts of a start, in their order. */
export type StartStep = "database" | "schema" | "demo" | "services" | "console";

const meanings: Readonly<Record<StartStep, string>> = {
  database: "starting PostgreSQL",
  schema: "bringing the schema up to date",
  demo: "creating the demo",
  services: "starting the services",
  console: "building the console",
};

/** Progress of a start in one line of a terminal. The greeting takes its place. */
export interface StartProgress {
  begin(step: StartStep): void;
  /** Deletes the line. */
  end(): void;
}

/** Shows nothing, where the output is not read by a person. */
export const noProgress: StartProgress = { begin() {}, end() {} };

export function startProgress(
  steps: readonly StartStep[],
  stream: Pick<NodeJS.WriteStream, "write"> = process.stdout,
): StartProgress {
  const show = (text: string) => void stream.write(`\r\x1b[K${text}`);
  return {
    begin(step) {
      const place = steps.indexOf(step);
      if (place === -1) return;
      const following = steps[place + 1];
      const next = following === undefined ? "" : `; next: ${meanings[following]}`;
      show(`[${place + 1}/${steps.length}] ${meanings[step]} …${next}`);
    },
    end: () => show(""),
  };
}
