import type { HttpServer } from "#/http/server/server.ts";

const path = "/demo/label-carrier/labels";
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

/** A carrier of the sandbox that sells labels over HTTP (docs/carriers.md), in place of a carrier's own service. */
export function registerDemoLabelCarrier(app: HttpServer): void {
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
}
