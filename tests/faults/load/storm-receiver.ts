// A receiver of webhooks that fails one request in five. The seed decides, not the order of arrival: the response
// depends on the event and on its attempt number. It records requests and responses for storm-oracle.ts.
import { hash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { type Answer, type ReceivedRequest, type Receiver, startReceiver } from "../../support/http/receiver.ts";

/** Only `ok` and `slow` are delivered, `slow` late. `hang`: longer than an exchange may take. */
export type StormAnswer = "ok" | "slow" | "500" | "429" | "reset" | "cut" | "hang";

export interface StormRequest {
  /** Path of the webhook. */
  readonly path: string;
  /** `webhook-id`. */
  readonly id: string;
  readonly objectId: string;
  /** Number of the event among those of its object, from 1. */
  readonly sequence: number;
  /** `crossdock-sequence`. */
  readonly sent: number;
  readonly body: Buffer;
  readonly answer: StormAnswer;
  /** Unix milliseconds: the time after complete receipt, before the response. */
  readonly atMs: number;
  readonly answeredAtMs: number;
}

export interface StormReceiver {
  readonly receiver: Receiver;
  readonly requests: readonly StormRequest[];
  /** Requests with an invalid signature. */
  readonly forged: readonly string[];
  /** Registers a webhook: its URL, and its signing secret, which is known after its creation. */
  addHook(path: string): { readonly url: string; setSecret(secret: string): void };
}

export interface StormWeather {
  readonly seed: number;
  /** Share of the requests, from 0 to 1. */
  readonly failures: number;
  /** Whether some requests are never answered. */
  readonly hangs: boolean;
}

const slowShare = 0.03;
const hangShare = 0.0005;

export async function startStormReceiver(weather: StormWeather): Promise<StormReceiver> {
  const requests: StormRequest[] = [];
  const forged: string[] = [];
  const hooks = new Map<string, Webhook>();
  const counts = new Map<string, number>();

  function take(received: ReceivedRequest): Answer {
    const { path, body, headers, atMs } = received;
    const { id, objectId, sequence } = JSON.parse(body.toString()) as {
      id: string;
      objectId: string;
      sequence: number;
    };
    try {
      hooks.get(path)?.verify(body.toString(), headers as Record<string, string>);
    } catch (error) {
      forged.push(`${path} ${objectId} ${sequence}: ${error}`);
    }
    const name = `${path} ${objectId} ${sequence}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const draw = drawOf(`${weather.seed} ${name} ${count}`);
    const answer = answerOf(weather, draw);
    const delayMs = answer === "slow" ? 100 + Math.floor(drawOf(`${weather.seed} ${name} ${count} slow`) * 900) : 0;
    requests.push({
      path,
      id: String(headers["webhook-id"]),
      objectId,
      sequence,
      body,
      answer,
      atMs,
      sent: Number(headers["crossdock-sequence"]),
      answeredAtMs: atMs + delayMs,
    });
    if (id !== headers["webhook-id"]) forged.push(`${name}: the body has another id than the header`);
    return saidOf(answer, delayMs);
  }

  const receiver = await startReceiver({ answer: take });
  return {
    receiver,
    requests,
    forged,
    addHook: (path) => ({
      url: receiver.url + path,
      setSecret: (secret) => void hooks.set(path, new Webhook(secret)),
    }),
  };
}

/** From 0 up to 1, deterministic for the text. */
const drawOf = (text: string) => Number.parseInt(hash("sha1", text).slice(0, 8), 16) / 2 ** 32;

function answerOf({ failures, hangs }: StormWeather, draw: number): StormAnswer {
  if (hangs && draw > 1 - hangShare) return "hang";
  if (draw >= failures + slowShare) return "ok";
  if (draw >= failures) return "slow";
  const kinds = ["500", "500", "429", "reset", "cut"] as const;
  return kinds[Math.floor((draw / failures) * kinds.length)] as StormAnswer;
}

function saidOf(answer: StormAnswer, delayMs: number): Answer {
  switch (answer) {
    case "ok":
      return 200;
    case "slow":
      return { status: 200, delayMs };
    case "500":
      return 500;
    case "429":
      return { status: 429, headers: { "retry-after": "1" } };
    default:
      return answer;
  }
}
