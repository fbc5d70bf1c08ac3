// A carrier's label service that keeps what it sold, and fails on command. Real sockets on loopback.
import assert from "node:assert/strict";
import type { SourceDefinition } from "#/modules/labels/index.ts";
import type { ConsoleUser } from "../app/console.ts";
import { type Answer, type ReceivedRequest, startReceiver } from "../http/receiver.ts";

/** How the stand-in answers the next purchases; a fault applies to one purchase or void, the last one stays. */
export type Fault =
  | "none"
  /** 422 with a reason. */
  | "refuse"
  | "error"
  | "throttle"
  /** Sells, and closes the connection without an answer. */
  | "sold-and-lost"
  | "hang"
  /** Answers that the label follows. */
  | "slow";

export const secret = "Bearer top-secret";
export const labelText = (key: string) => `^XA^FO50,50^FD${key}^FS^XZ`;
export const pdf = Buffer.from("%PDF-1.4\n% the label of a carrier\n%%EOF\n");

interface Sale {
  readonly id: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Its label; undefined: ZPL with its key. */
  readonly file: Buffer | undefined;
  isVoided: boolean;
}

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export async function startLabelStandIn() {
  const sales: Sale[] = [];
  const faults: Fault[] = [];
  const voidFaults: Fault[] = [];
  const manifestFaults: Fault[] = [];
  const manifests: { readonly id: string; readonly key: string; readonly labels: readonly string[] }[] = [];
  const pickupFaults: Fault[] = [];
  const pickups: { readonly manifest: string; readonly parcels: number }[] = [];
  const requests: string[] = [];
  const files: Buffer[] = [];
  const answerOf = ({ id, key, file }: Sale) => ({
    id,
    status: "sold",
    tracking: { number: `T${id}`, url: `https://carrier.example/T${id}` },
    cost: { amount: 4.2, currency: "gbp" },
    label: faults[0] === "slow" ? undefined : (file ?? Buffer.from(labelText(key))).toString("base64"),
  });
  const nextOf = (list: Fault[]): Fault => (list.length > 1 ? list.shift() : list[0]) ?? "none";

  const answerOfManifest = ({ id }: { readonly id: string }) => json(200, { id, document: `/files/${id}.pdf` });

  function manifestOf(request: ReceivedRequest): Answer {
    if (request.method === "GET") {
      const made = manifests.find(({ key }) => key === request.path.split("/")[2]);
      return made ? answerOfManifest(made) : json(404, { error: "unknown" });
    }
    const fault = nextOf(manifestFaults);
    if (fault === "error") return 500;
    if (fault === "throttle") return { status: 429, headers: { "retry-after": "1" } };
    if (fault === "refuse") return json(422, { error: "a label has another origin" });
    if (fault === "hang") return "hang";
    const { key, labels } = JSON.parse(request.body.toString());
    const made = { id: `M${manifests.length + 1}`, key, labels };
    manifests.push(made);
    return fault === "sold-and-lost" ? "reset" : answerOfManifest(made);
  }

  function pickupOf(request: ReceivedRequest): Answer {
    const fault = nextOf(pickupFaults);
    if (fault === "throttle") return { status: 429, headers: { "retry-after": "1" } };
    if (fault === "refuse") return json(422, { error: "no driver on this day" });
    pickups.push(JSON.parse(request.body.toString()));
    return fault === "sold-and-lost" ? "reset" : json(201, { id: `PU${pickups.length}` });
  }

  async function answer(request: ReceivedRequest): Promise<Answer> {
    requests.push(`${request.method} ${request.path.replace(/[0-9a-f-]{36}/, "KEY")}`);
    if (request.path.startsWith("/files/"))
      return { status: 200, headers: { "content-type": "application/pdf" }, body: pdf };
    if (request.headers.authorization !== secret) return json(401, { error: "who are you" });
    if (request.path === "/ping") return json(200, {});
    const [, , id] = request.path.split("/");
    if (request.path.startsWith("/manifests")) return manifestOf(request);
    if (request.path === "/pickups") return pickupOf(request);
    if (request.method === "GET") {
      const found = sales.find(({ key }) => key === id);
      return found && !found.isVoided ? json(200, answerOf(found)) : json(404, { error: "unknown" });
    }
    if (request.method === "DELETE") {
      const fault = nextOf(voidFaults);
      if (fault === "error") return 500;
      if (fault === "refuse") return json(422, { error: "it has been used" });
      const sale = sales.find((candidate) => candidate.id === id);
      if (!sale) return json(404, { error: "unknown" });
      sale.isVoided = true;
      return json(200, {});
    }
    const fault = nextOf(faults);
    if (fault === "error") return 500;
    if (fault === "refuse") return json(422, { error: "the address is not served" });
    if (fault === "throttle") return { status: 429, headers: { "retry-after": "1" } };
    if (fault === "hang") return "hang";
    const body = JSON.parse(request.body.toString());
    const known = sales.find(({ key }) => key === body.key);
    const sale = known ?? { id: `${sales.length + 1}`, key: body.key, body, file: files.shift(), isVoided: false };
    if (!known) sales.push(sale);
    if (fault === "sold-and-lost") return "reset";
    if (fault === "slow") return json(202, { id: sale.id, status: "queued" });
    return json(201, answerOf(sale));
  }

  const receiver = await startReceiver({ answer });
  return {
    url: receiver.url,
    sales,
    requests,
    manifests,
    pickups,
    failPickups: (...next: Fault[]) => pickupFaults.splice(0, pickupFaults.length, ...next),
    failManifests: (...next: Fault[]) => manifestFaults.splice(0, manifestFaults.length, ...next),
    /** The labels of the next sales. */
    sell: (...next: Buffer[]) => files.push(...next),
    fail: (...next: Fault[]) => faults.splice(0, faults.length, ...next),
    failVoids: (...next: Fault[]) => voidFaults.splice(0, voidFaults.length, ...next),
    close: () => receiver.close(),
  };
}

/** The calls of the stand-in, as an operator sets them up. */
export const standInDefinition: SourceDefinition = {
  timeoutSeconds: 2,
  attemptsMax: 2,
  services: { "*": { account: "ACC-1" }, RM48: { name: "48h" } },
  calls: {
    buy: {
      method: "POST",
      path: "/labels",
      headers: { "Idempotency-Key": "{purchase.key}" },
      body: {
        key: "{purchase.key}",
        account: "{service.account}",
        service: "{service.name}",
        note: "order {purchase.orderId}",
        to: { name: "{to.name}", street: "{to.address1}", zip: "{to.zip}", country: "{to.country}" },
        grams: "{parcel.weight.g}",
        items: { each: "{customs.goods}", as: { code: "{item.hsCode}", text: "{item.description}" } },
      },
      isPending: { field: "status", op: "eq", value: "queued" },
      answer: {
        externalId: ["id"],
        trackingNumber: ["tracking.number"],
        trackingUrl: ["tracking.url"],
        label: ["label"],
        price: ["cost.amount"],
        currency: ["cost.currency"],
        error: ["error"],
      },
    },
    lookUp: {
      method: "GET",
      path: "/labels/{purchase.key}",
      answer: {
        externalId: ["id"],
        trackingNumber: ["tracking.number"],
        trackingUrl: ["tracking.url"],
        label: ["label"],
        price: ["cost.amount"],
        currency: ["cost.currency"],
      },
    },
    void: { method: "DELETE", path: "/labels/{purchase.externalId}", answer: { error: ["error"] } },
    manifest: {
      method: "POST",
      path: "/manifests",
      body: { key: "{manifest.key}", labels: "{manifest.externalIds}", day: "{shipDate}", sender: "{from.name}" },
      answer: { externalId: ["id"], labelUrl: ["document"], error: ["error"] },
    },
    manifestLookUp: {
      method: "GET",
      path: "/manifests/{manifest.key}",
      answer: { externalId: ["id"], labelUrl: ["document"] },
    },
    test: { method: "GET", path: "/ping", answer: { error: ["error"] } },
  },
};

/** Sets up a source as an admin does. */
export async function createSource(
  admin: ConsoleUser,
  sourceCode: string,
  url: string,
  more: object = {},
): Promise<void> {
  const headers = { authorization: secret };
  const source = { sourceCode, name: sourceCode, kind: "HTTP", url, headers, definition: standInDefinition, ...more };
  const { status, body } = await admin.post("/labelSource/create", source);
  assert.equal(status, 201, JSON.stringify(body));
}
