import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { HttpServer } from "#/http/server/server.ts";
import { findSource, type LabelSource, type SourceDefinition, saveSource } from "#/modules/labels/index.ts";
import type { Database, Transaction } from "#/store/db/database.ts";

const root = "/demo/label-carrier";
const path = `${root}/labels`;
const secret = "Bearer demo-carrier";

interface Sold {
  readonly id: string;
  readonly trackingNumber: string;
  readonly label: string;
}

/** Keeps nothing: the same key always gives the same label, so that each sale is found again. */
function saleOf(key: string): Sold {
  const trackingNumber = `DC${key.replaceAll("-", "").slice(-12).toUpperCase()}GB`;
  const zpl = `^XA^FO60,80^A0N,60,60^FDDemo carrier^FS^FO60,200^BY3^BCN,160,Y^FD${trackingNumber}^FS^XZ`;
  return { id: key, trackingNumber, label: Buffer.from(zpl).toString("base64") };
}

/** The secret of its tracking webhooks: of this process, which sends them to itself. */
export const demoTrackingSecret = randomBytes(24).toString("base64");

/**
 * A stand-in for a carrier (docs/carriers.md): it sells labels over HTTP, makes manifests, and tracks what is on them by
 * signed webhooks. No parcel moves.
 *
 * @param listenerUrl of this process
 */
export function registerDemoLabelCarrier(app: HttpServer, listenerUrl: () => string): void {
  app.post(path, (request, reply) => {
    if (request.headers.authorization !== secret) return reply.code(401).send({ error: "the key is wrong" });
    const { key, to } = request.body as { readonly key?: unknown; readonly to?: { readonly zip?: unknown } };
    if (typeof key !== "string" || typeof to?.zip !== "string") {
      return reply.code(422).send({ error: "key and to.zip are required" });
    }
    return reply.code(201).send({ ...saleOf(key), price: 3.9, currency: "GBP" });
  });
  app.get(`${path}/:key`, (request, reply) => reply.send(saleOf((request.params as { readonly key: string }).key)));
  app.delete(`${path}/:key`, (_request, reply) => reply.send({ isVoided: true }));
  app.post(`${root}/manifests`, (request, reply) => {
    if (request.headers.authorization !== secret) return reply.code(401).send({ error: "the key is wrong" });
    const { key, trackingNumbers } = request.body as { readonly key: string; readonly trackingNumbers: string[] };
    void track(listenerUrl(), trackingNumbers);
    const lines = ["Manifest of the demo carrier, a stand-in", ...trackingNumbers];
    return reply.code(201).send({ id: key, document: pdfOf(lines.slice(0, 60)).toString("base64") });
  });
}

/** Reports that the parcels of a manifest are in transit. A report that fails is lost, as the demo may stop at any time. */
async function track(listenerUrl: string, trackingNumbers: readonly string[]): Promise<void> {
  const occurredAt = new Date().toISOString();
  const events = trackingNumbers
    .slice(0, 50)
    .map((trackingNumber) => ({ trackingNumber, code: "in_transit", occurredAt, location: "Demo depot" }));
  const body = JSON.stringify({ events });
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1_000))];
  const mac = createHmac("sha256", Buffer.from(demoTrackingSecret, "base64")).update(`${id}.${timestamp}.${body}`);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${mac.digest("base64")}`,
  };
  await fetch(`${listenerUrl}/v1/trackingWebhooks/generic`, { method: "POST", headers, body }).catch(() => {});
}

/** A page of ASCII text. */
function pdfOf(lines: readonly string[]): Buffer {
  const text = `BT /F1 11 Tf 14 TL 50 790 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 ${font} >> >> >>`,
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const place = String(file.length).padStart(10, "0");
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size 5 /Root 1 0 R >>\n`;
  return Buffer.from(`${file}${table}startxref\n${file.length}\n%%EOF\n`, "latin1");
}

/** The label source of the demo. Its key opens nothing but the stand-in. */
export const demoSourceCode = "DEMO-CARRIER";
const headers = { authorization: secret };
const answer = { externalId: ["id"], trackingNumber: ["trackingNumber"], label: ["label"], error: ["error"] };
const definition: SourceDefinition = {
  calls: {
    buy: {
      method: "POST",
      path: "/labels",
      headers,
      body: { key: "{purchase.key}", to: "{to}", grams: "{parcel.weight.g}", customs: "{customs}" },
      answer: { ...answer, price: ["price"], currency: ["currency"] },
    },
    lookUp: { method: "GET", path: "/labels/{purchase.key}", answer },
    void: { method: "DELETE", path: "/labels/{purchase.externalId}" },
    manifest: {
      method: "POST",
      path: "/manifests",
      headers,
      body: { key: "{manifest.key}", trackingNumbers: { each: "{parcels}", as: "{item.trackingNumber}" } },
      answer: { externalId: ["id"], label: ["document"], error: ["error"] },
    },
  },
};

/** Sets the demo's label source up; it is aimed once this process listens. */
export function saveDemoSource(tx: Transaction, at: string): void {
  const stored = { headersSealed: null, updatedBy: "seed", createdAt: at, updatedAt: at, version: 1 } as const;
  const source: LabelSource = {
    sourceCode: demoSourceCode,
    name: "Demo carrier (a stand-in)",
    kind: "HTTP",
    // A local port without a listener.
    url: `http://127.0.0.1:9${root}`,
    isActive: true,
    definition,
    ...stored,
  };
  saveSource(tx, source);
}

/** The listener's port may differ from the last start. */
export async function aimDemoSource(database: Database, listenerUrl: string, at: string): Promise<void> {
  const source = await findSource(database, demoSourceCode);
  const url = `${listenerUrl}${root}`;
  if (source === undefined || source.url === url || !source.url.endsWith(root)) return;
  const aimed = { ...source, url, updatedAt: at, version: source.version + 1 };
  await database.transaction(async (tx) => saveSource(tx, aimed));
}
