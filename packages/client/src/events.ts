import type { CrossdockClient } from "./client.ts";
import type { paths } from "./generated/webhook.ts";
import { unwrap } from "./problem.ts";
import type { OperationOf } from "./rest.ts";
import { sleep } from "./retry.ts";
import type { WebhookEvent } from "./webhooks.ts";

type EventQuery = NonNullable<OperationOf<paths, "/v1/webhookService/event/list", "get">["parameters"]["query"]>;

/** An event of the log: the body of its push, and its place in the log. */
export type LoggedEvent = WebhookEvent & { readonly position: number };

export interface EventLogOptions extends Omit<EventQuery, "cursor"> {
  /** Where the last run ended; without it, the log starts with the oldest event, or with `since`. */
  readonly cursor?: string | undefined;
  /**
   * Called with the cursor when every event before it was handled. Store it: a program that ends continues there, and
   * sees at most the events of one page again.
   */
  readonly save?: (cursor: string) => void | Promise<void>;
  /** Waits for further events at the end of the log, looking again after this time; by default the loop ends there. */
  readonly followMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The events of the client in the order of the log. It is read a page at a time, the next one when the events of the last
 * are handled. An aborted `signal` ends the loop without an error.
 * @throws {ProblemError} when the service refuses the request.
 */
export async function* events(
  client: Pick<CrossdockClient, "webhooks">,
  options: EventLogOptions = {},
): AsyncGenerator<LoggedEvent, void, undefined> {
  const { save, followMs, signal, cursor: start, ...filter } = options;
  let cursor = start;
  const aborted = () => signal?.aborted === true;
  while (!aborted()) {
    try {
      const query = { ...filter, ...(cursor === undefined ? {} : { cursor }) };
      const init = { params: { query }, ...(signal === undefined ? {} : { signal }) };
      const page = await unwrap(client.webhooks.GET("/v1/webhookService/event/list", init));
      for (const event of page.items) yield event as unknown as LoggedEvent;
      const { nextCursor } = page;
      if (nextCursor !== null && nextCursor !== cursor) {
        await save?.(nextCursor);
        cursor = nextCursor;
        continue;
      }
      if (followMs === undefined) return;
      await sleep(followMs, signal);
    } catch (error) {
      if (!aborted()) throw error;
    }
  }
}
