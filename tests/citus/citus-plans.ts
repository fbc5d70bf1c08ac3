/** The rules for the text of `explain (analyze)` on Citus. Each returns the faults. */

interface Job {
  readonly tasks: number;
  /** Rows that its tasks have returned to the coordinator. */
  readonly rows: number;
}

/** With `citus.explain_all_tasks`, the node of each task is followed by the first line of the task's plan. */
const part = /Task Count: (\d+)|Node: host=.*\n.*?\(actual (?:time=\S+ )?rows=(\d+)/g;

const copiesParameters =
  /^Custom Scan \(Citus INSERT \.\.\. SELECT\).*\n.*pull to coordinator\n.*Function Scan on json_to_recordset/;

/** The jobs of a plan, those of its subplans included. */
function jobsOf(plan: string): Job[] {
  const jobs: Job[] = [];
  for (const [, tasks, rows] of plan.matchAll(part)) {
    const job = jobs.at(-1);
    if (tasks !== undefined) jobs.push({ tasks: Number(tasks), rows: 0 });
    else if (job !== undefined) jobs[jobs.length - 1] = { ...job, rows: job.rows + Number(rows) };
  }
  return jobs;
}

/**
 * A statement with a client is sent to one worker as it is, so it has one job of one task. A set of rows that is
 * inserted from parameters alone has none: the rows are copied to the client's shard.
 */
export function faultsOfClientPlan(plan: string): string[] {
  const jobs = jobsOf(plan);
  if (jobs.length === 0 && copiesParameters.test(plan)) return [];
  const tasks = jobs.reduce((sum, job) => sum + job.tasks, 0);
  return tasks === 1 ? [] : [`${jobs.length} jobs with ${tasks} tasks`];
}

/** @param rowsMax a table that is sent as a whole has more rows */
export function faultsOfSharedPlan(plan: string, rowsMax: number): string[] {
  return jobsOf(plan).flatMap(({ rows }) => (rows > rowsMax ? [`${rows} rows are sent between nodes`] : []));
}
