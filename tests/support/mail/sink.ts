// A mail server on the loopback that accepts everything, or rejects on command. A third-party implementation validates
// our mails.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { atEnd } from "../app/at-end.ts";

export interface ReceivedMail {
  /** From the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** The authenticated user, if the server requires one. */
  readonly user: string | undefined;
  /** By lower-case name, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

export interface MailSink {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Number of opened connections. */
  connections: number;
  /** Response to the next mails: a reply line such as `451 later`, `"silence"`, or undefined: accepted. */
  answer: string | undefined;
  /** Waits for a number of mails, and returns all. */
  arrived(count: number): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

/** @param account if set, the server accepts mail only from authenticated clients. */
export async function startMailSink(account?: { readonly user: string; readonly pass: string }): Promise<MailSink> {
  const server = new SMTPServer({
    disabledCommands: account ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    allowInsecureAuth: true,
    authOptional: account === undefined,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === account?.user && password === account?.pass
        ? done(null, { user: username })
        : done(Object.assign(new Error("Invalid username or password"), { responseCode: 535 })),
    onConnect(_session, done) {
      sink.connections++;
      done();
    },
    async onData(stream, session, done) {
      const raw = Buffer.concat(await Array.fromAsync<Buffer>(stream)).toString("latin1");
      const { answer } = sink;
      if (answer === "silence") return;
      const [code = "", ...words] = answer?.split(" ") ?? [];
      if (answer !== undefined) return done(Object.assign(new Error(words.join(" ")), { responseCode: Number(code) }));
      const { mailFrom, rcptTo } = session.envelope;
      sink.mails.push({
        from: mailFrom ? mailFrom.address : "",
        to: rcptTo.map(({ address }) => address),
        user: session.user as string | undefined,
        ...readMail(raw),
        raw,
      });
      done();
    },
  });
  // Some tests abort the client in the middle of a mail.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const signIn = account ? `${encodeURIComponent(account.user)}:${encodeURIComponent(account.pass)}@` : "";
  const sink: MailSink = {
    url: `smtp://${signIn}127.0.0.1:${port}`,
    mails: [],
    connections: 0,
    answer: undefined,
    async arrived(count) {
      for (const until = Date.now() + 30_000; sink.mails.length < count && Date.now() < until; ) await sleep(20);
      return sink.mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  atEnd(() => sink.close());
  return sink;
}

/** The subset of MIME in our mails: headers, and two text alternatives. */
function readMail(raw: string): Pick<ReceivedMail, "headers" | "text" | "html"> {
  const whole = readPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers.get("content-type") ?? "")?.[1];
  const parts = boundary === undefined ? [whole] : whole.body.split(`--${boundary}`).slice(1, -1).map(readPart);
  const bodyOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get("content-type")?.startsWith(type));
    return part === undefined ? "" : decodeBody(part.body, part.headers.get("content-transfer-encoding") ?? "");
  };
  return { headers: whole.headers, text: bodyOf("text/plain"), html: bodyOf("text/html") };
}

function readPart(raw: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const text = raw.replace(/^\r\n/, "");
  const end = text.indexOf("\r\n\r\n");
  const lines = text.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ");
  const headers = lines.split("\r\n").map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())] as const;
  });
  return { headers: new Map(headers), body: text.slice(end + 4) };
}

function decodeBody(body: string, encoding: string): string {
  const bytes = {
    base64: () => Buffer.from(body, "base64"),
    "quoted-printable": () => unquoted(body.replaceAll("=\r\n", "")),
  }[encoding.toLowerCase()];
  return (bytes?.() ?? Buffer.from(body, "latin1")).toString("utf8").replaceAll("\r\n", "\n");
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

/** RFC 2047. */
const decodeWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toUpperCase() === "B" ? Buffer.from(word, "base64") : unquoted(word.replaceAll("_", " "))).toString("utf8"),
    );
