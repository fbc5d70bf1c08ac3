import type { OauthSecret } from "#/modules/clients/index.ts";
import type { Item, Report, Task } from "#/sandbox/simulator/port.ts";
import { createSender } from "#client/sender.ts";
import { TokenError } from "#client/tokens.ts";

/** Result of a request. */
export type Answer<Body> =
  | { readonly kind: "ok"; readonly body: Body }
  /** Rejected with 4xx; the problem document gives the reason. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  /** HTTP 500: the request or the port is faulty, and an immediate retry does not help. */
  | { readonly kind: "failed"; readonly reason: string }
  /** No answer, or a request to retry later. The outcome is unknown. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly retryAfterMs: number | undefined }
  /** The credential is no longer valid. */
  | { readonly kind: "shut" };

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

/** The warehouse port, spoken to as a warehouse system does: by the typed client's sender, with a facility's credential. */
export interface PortClient {
  listTasks(cursor: string | undefined): Promise<Answer<Page<Task>>>;
  listItems(cursor: string | undefined): Promise<Answer<Page<Item>>>;
  report(report: Report): Promise<Answer<Readonly<Record<string, unknown>>>>;
}

export interface PortClientOptions {
  /** Base URL of `/v1/warehouseService` and `/v1/oauth/token`, without a trailing slash. */
  readonly portUrl: string;
  readonly authUrl: string;
  readonly oauth: OauthSecret;
  /** Aborts the requests in flight. */
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;
export const pageLimit = 200;

/** Nothing is sent again here: the facility rests as a whole, and repeats its reports. */
export function createPortClient({ portUrl, authUrl, oauth, signal }: PortClientOptions): PortClient {
  const { client_id: clientId, client_secret: clientSecret } = oauth;
  const send = createSender({
    baseUrl: portUrl,
    authUrl,
    clientId,
    clientSecret,
    timeoutMs,
    retry: false,
    fetch: (request) => fetch(request, { signal: AbortSignal.any([signal, request.signal]) }),
  });

  async function call(path: string, body?: object): Promise<Answer<Record<string, unknown>>> {
    const headers = { "content-type": "application/json" };
    const written = body && { method: "POST", headers, body: JSON.stringify(body) };
    try {
      const request = new Request(`${portUrl}/v1/warehouseService${path}`, { ...written, redirect: "error" });
      return await answerOf(await send(request));
    } catch (error) {
      // A token can become invalid early, e.g. when the signing key is deleted. A credential cannot become valid again.
      if (error instanceof TokenError && error.status === 401) return { kind: "shut" };
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      return { kind: "unavailable", reason, retryAfterMs: undefined };
    }
  }

  async function list<Item>(path: string, cursor: string | undefined): Promise<Answer<Page<Item>>> {
    const parameters = new URLSearchParams({ limit: String(pageLimit), ...(cursor === undefined ? {} : { cursor }) });
    const answer = await call(`${path}?${parameters}`);
    if (answer.kind !== "ok") return answer;
    const { items, nextCursor } = answer.body as { items: readonly Item[]; nextCursor?: string | null };
    return { kind: "ok", body: { items, nextCursor: nextCursor ?? undefined } };
  }

  return {
    async listTasks(cursor) {
      const answer = await list<Task>("/task/list", cursor);
      if (answer.kind !== "ok") return answer;
      return { kind: "ok", body: { ...answer.body, items: answer.body.items.map(taskOf) } };
    },
    async listItems(cursor) {
      const answer = await list<Record<string, unknown>>("/item/list", cursor);
      if (answer.kind !== "ok") return answer;
      return { kind: "ok", body: { ...answer.body, items: answer.body.items.map(itemOf) } };
    },
    report: ({ path, body, isRead }) => call(path, isRead ? undefined : body),
  };
}

async function answerOf(response: Response): Promise<Answer<Record<string, unknown>>> {
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
  const { status } = response;
  if (status === 401) return { kind: "shut" };
  if (status === 500) return { kind: "failed", reason: reasonOf(body ?? {}) || "HTTP 500" };
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  if (status === 429 || status === 408 || status >= 500 || body === undefined) {
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
    return { kind: "unavailable", reason: `HTTP ${status}`, retryAfterMs };
  }
  if (status >= 400) return { kind: "refused", status, reason: reasonOf(body) };
  return { kind: "ok", body };
}

function reasonOf({ title, detail, errors }: Record<string, unknown>): string {
  const faults = Array.isArray(errors) ? errors.map((error) => JSON.stringify(error)).join(" ") : "";
  return [detail ?? title, faults].filter(Boolean).join(" ").slice(0, 500);
}

/** The lines of a blind count have no quantity. */
function taskOf(task: Task): Task {
  return { ...task, lines: task.lines.map((line) => ({ ...line, qty: line.qty ?? 0 })) };
}

/** Kilograms per unit of the catalogue. */
const kilograms: Readonly<Record<string, number>> = { KG: 1, G: 0.001, LB: 0.453_592_37, OZ: 0.028_349_523_125 };

/** Keeps only the used fields of an item, because a catalogue of 100 000 items is held in memory. */
function itemOf(record: Record<string, unknown>): Item {
  const { clientId, sku, captureBatchRef, captureSerial, captureExpiry, minShelfLifeDays } = record;
  const factor = kilograms[String(record.weightUomCode ?? "KG")];
  const weightKg = typeof record.weight === "number" && factor !== undefined ? record.weight * factor : undefined;
  return {
    clientId: String(clientId),
    sku: String(sku),
    ...(captureBatchRef === true ? { captureBatchRef } : {}),
    ...(captureSerial === true ? { captureSerial } : {}),
    ...(captureExpiry === true ? { captureExpiry } : {}),
    ...(typeof minShelfLifeDays === "number" ? { minShelfLifeDays } : {}),
    ...(weightKg === undefined ? {} : { weightKg }),
  };
}
