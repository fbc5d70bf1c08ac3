// A stream of NO and PO documents of the demo client, from several senders that remember each response.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../support/app/until.ts";
import { isSettled, type Sent } from "../oracles/oracle.ts";
import { orderXml, purchaseOrderXml, type Served, sendFeed } from "./sender.ts";

export interface Sending {
  /** The number of documents whose outcome the senders know. */
  answers(): number;
  /** Waits for the requests in progress. */
  end(): Promise<void>;
}

export interface DocumentLoad {
  readonly sent: readonly Sent[];
  /** @param server the one that runs now */
  run(server: () => Served, senders: number): Sending;
  /** Sends documents without a response again, which settles them. */
  settle(server: Served): Promise<void>;
}

export function createDocumentLoad(random: () => number): DocumentLoad {
  const sent: Sent[] = [];
  let number = 0;

  function newDocument(): Sent {
    const kind = random();
    const lines = 1 + Math.floor(random() * 5);
    const objectId = `${kind < 0.15 ? "PO" : "NO"}-${++number}`;
    const key = random() < 0.4 ? `key-${number}` : undefined;
    if (kind < 0.15) return { type: "PO", objectId, lines, key, xml: purchaseOrderXml(objectId, lines) };
    if (kind < 0.25)
      return { type: "NO", objectId, lines, key, xml: orderXml(objectId, lines, "NO-SUCH-SKU"), isFaulty: true };
    return { type: "NO", objectId, lines, key, xml: orderXml(objectId, lines) };
  }

  return {
    sent,
    run(server, senders) {
      const unanswered = sent.filter((document) => !isSettled(document));
      let isOver = false;
      let answers = 0;

      /**
       * Sends one document after the other while the server accepts them; now and then, repeats one without a response.
       */
      async function keepSending(): Promise<void> {
        while (!isOver) {
          const again = random() < 0.3 ? unanswered.pop() : undefined;
          const document = again ?? newDocument();
          if (!again) sent.push(document);
          try {
            await sendAndNote(server(), document);
            if (isSettled(document)) answers++;
            else await sleep(100);
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error;
            // The connection broke without a response; the oracle finds out whether the document is stored.
            await sleep(20);
          }
        }
      }

      const sending = Promise.all(Array.from({ length: senders }, keepSending));
      return {
        answers: () => answers,
        async end() {
          isOver = true;
          await sending;
        },
      };
    },
    async settle(server) {
      const open = sent.filter((document) => !isSettled(document));
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let document = open.pop(); document; document = open.pop()) {
            await until(`${document.objectId} to be settled by its resend`, async () => {
              await sendAndNote(server, document);
              return isSettled(document);
            });
          }
        }),
      );
    },
  };
}

/** Sends a document and records the response if it settles the document. */
async function sendAndNote(server: Served, document: Sent): Promise<void> {
  const answer = await sendFeed(server, document);
  if (answer.status === 503) {
    assert.match(answer.body, /\[UNAVAILABLE\]/);
    return;
  }
  // The previous request is still in progress: the sender tries again later.
  if (answer.status === 409) return;
  assert.equal(answer.status, 200, answer.body);
  if (!answer.isAccepted && !document.isFaulty) {
    // The first request was stored, but its response was lost. The rejection names its token and confirms identical
    // bytes.
    assert.equal(document.key, undefined, `the key answers for the document: ${answer.body}`);
    const [, token] =
      /\[DUPLICATE\] .* received as document (\S+) at \S+; its bytes are identical/.exec(answer.body) ?? [];
    assert(token, `a resend is accepted or a duplicate with identical bytes: ${answer.body}`);
    document.originToken = token;
    return;
  }
  document.answer = answer;
}
