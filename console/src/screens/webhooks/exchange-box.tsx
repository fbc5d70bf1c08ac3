import { Facts } from "../../parts/page/facts.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { exactTime } from "../../parts/time.tsx";
import { CodeBlock } from "../clients/code-block.tsx";

interface Exchange {
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly address: string | null;
  readonly phases: Readonly<Record<string, number | null>>;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly errorClass: string | null;
}

interface ExchangeBoxProps {
  readonly exchange: Exchange;
  /** "Try 2". */
  readonly title: string;
  readonly timezone: string;
  /** Shown if the response is unknown or has not arrived yet. */
  readonly note?: string | undefined;
}

const errorWords: Readonly<Record<string, string>> = {
  blocked: "the address is not allowed",
  dns: "the name could not be looked up",
  connect: "nothing accepts connections there",
  tls: "the certificate or the handshake is wrong",
  reset: "the connection was broken",
  timeout: "no answer within 15 seconds",
  redirect: "it answered a redirect, which is not followed",
  status: "it answered, but not with 2xx",
  protocol: "the answer is not HTTP",
  expired: "the event is no longer stored",
};

/** One request and the receiver's response, as on the wire. */
export function ExchangeBox({ exchange, title, timezone, note }: ExchangeBoxProps) {
  const { startedAt, durationMs, address, phases, status, headers, body, errorClass } = exchange;
  const spent = Object.entries(phases).flatMap(([name, ms]) =>
    ms === null ? [] : [`${name === "lookup" ? "DNS" : name} ${Math.round(ms)} ms`],
  );
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Section
      title={`${title}, ${exactTime(startedAt, timezone)}`}
      actions={
        errorClass === null && status !== null ? (
          <ToneBadge tone="done" text={`Answered ${status}`} />
        ) : (
          <ToneBadge
            tone={note === undefined ? "failed" : "moving"}
            text={status === null ? (errorClass ?? "No answer") : `Answered ${status}`}
          />
        )
      }
    >
      {status === null ? null : (
        <CodeBlock
          label={`Answer to ${title.toLowerCase()}`}
          text={`HTTP ${status}\n\n${body === "" ? "(no body)" : body}`}
        />
      )}
      <Facts
        facts={[
          { name: "Failed because", value: errorClass !== null && (errorWords[errorClass] ?? errorClass) },
          { name: "Remark", value: note },
          { name: "Duration", value: durationMs !== null && `${Math.round(durationMs)} ms` },
          { name: "Phases", value: spent.join(" · ") },
          { name: "Address", value: address },
          { name: "Headers of the answer", value: named.join(" · ") },
        ]}
      />
    </Section>
  );
}
