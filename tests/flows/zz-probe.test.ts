import { test } from "node:test";
import { testServer } from "../support/server.ts";
import { catalogue, order, attributes } from "../support/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const tell = async (what: string, work: () => Promise<unknown>) => {
  const t = performance.now();
  let said: unknown;
  try { const a: any = await work(); said = a?.status ? `${a.status} ${a.errors?.slice(0,2).map((e: string)=>e.slice(0,200))} obj=${a.objectId}` : a; } catch (e) { said = "THROWN " + (e as Error).message.slice(0, 600); }
  console.log(what, "=>", said, Math.round(performance.now() - t) + "ms");
};
test("probe", async () => {
  await demo.accept("CAT", catalogue("DEMO", ["A"]));
  await tell("huge attr", () => demo.send("NO", order("DEMO", "M", ["A"], { totalPrice: { "@unit": "E".repeat(11_000_000) } })));
  await tell("huge text", () => demo.send("NO", order("DEMO", "M", ["A"], { totalPrice: "E".repeat(11_000_000) })));
  await tell("empty elements 255k", () => demo.send("NO", "<orderRequest>" + "<a/>".repeat(60_000) + "</orderRequest>"));
  await tell("19MB empty elements", () => demo.send("NO", "<orderRequest>" + "<a/>".repeat(4_900_000) + "</orderRequest>"));
  await tell("attributes many", () => demo.send("NO", "<orderRequest " + Array.from({length: 20000}, (_, i) => `a${i}=''`).join(" ") + "/>"));
  await tell("namespaces many", () => demo.send("NO", "<orderRequest " + Array.from({length: 8000}, (_, i) => `xmlns:a${i}='u${i}'`).join(" ") + "/>"));
  await tell("garbage", () => demo.send("NO", Buffer.alloc(20 * 1024 * 1024, 0x61)));
  await tell("lt garbage", () => demo.send("NO", Buffer.alloc(20 * 1024 * 1024, 0x3c)));
  await tell("zero", () => demo.send("NO", Buffer.alloc(20 * 1024 * 1024, 0)));
  await tell("deep 250k", () => demo.send("NO", "<a>".repeat(80_000)));
  await tell("tender regex", () => demo.send("NO", "<orderRequest>" + "tender>".repeat(35_000)));
  await tell("tender regex2", () => demo.send("NO", "<orderRequest>" + "tender>" + " ".repeat(240_000)));
  await tell("tender digits", () => demo.send("NO", "<orderRequest><tender>" + "1 ".repeat(120_000)));
  await tell("tender 19MB", () => demo.send("NO", "<orderRequest>" + "tender>".repeat(2_800_000)));
  await tell("nested 20MB", () => demo.send("NO", "<orderRequest>" + "<a>".repeat(60) .concat("</a>".repeat(60)).repeat(40_000) + "</orderRequest>"));
  await tell("chars refs", () => demo.send("NO", "<orderRequest><orderId>" + "&#65;".repeat(2_000_000) + "</orderId></orderRequest>"));
  await tell("unique 100k", () => demo.send("NO", order("DEMO", "U", ["A"], { extendedAttributes: "" }).replace("<extendedAttributes></extendedAttributes>", "<extendedAttributes>" + Array.from({length: 100_000}, (_, i) => `<attribute name="n${i}"/>`).join("") + "</extendedAttributes>")));
  await tell("NO 200k lines", () => demo.send("NO", order("DEMO", "L200k", Array.from({length: 200_000}, () => "A"))));
  await tell("NO 200k bad lines", () => demo.send("NO", order("DEMO", "L200k", Array.from({length: 200_000}, () => ({sku: "A", qty: "x"})))));
  await tell("RMA 200k bad lines", () => demo.send("CAT", catalogue("DEMO", Array.from({length: 200_000}, () => ({sku: " ", eanCode: " "})))));
  await tell("barcodes 1M", () => demo.send("CAT", catalogue("DEMO", [{sku: "A", gtinBarcodes: { barcode: Array.from({length: 600_000}, (_, i) => i)}}])));
  await tell("attrs list 19MB", () => demo.send("NO", "<orderRequest " + Array.from({length: 1_500_000}, (_, i) => `a${i}=''`).join(" ") + "/>"));
  await tell("namespaces 19MB", () => demo.send("NO", "<orderRequest " + Array.from({length: 700_000}, (_, i) => `xmlns:a${i}='u${i}'`).join(" ") + "/>"));
  await tell("pis", () => demo.send("NO", "<?a?>".repeat(3_000_000)));
  await tell("comments", () => demo.send("NO", "<orderRequest>" + "<!---->".repeat(2_500_000) + "</orderRequest>"));
  await tell("names", () => demo.send("NO", "<orderRequest>" + Array.from({length: 1_400_000}, (_, i) => `<a${i}/>`).join("") + "</orderRequest>"));
  await tell("long name", () => demo.send("NO", `<${"a".repeat(15_000_000)}/>`));
  await tell("tenders", () => demo.send("NO", order("DEMO", "T", ["A"], { payments: { payment: Array.from({length: 200_000}, () => ({ tender: "4111 1111 1111 1111" })) } })));
  await tell("duplicate skus 50k", () => demo.send("CAT", catalogue("DEMO", Array.from({length: 50_000}, () => "A"))));
  console.log(server.logged.filter((l) => !/"msg":"request"/.test(l)).map((l) => l.slice(0, 600)).join("\n"));
});
import { gzipSync } from "node:zlib";
const await0 = gzipSync(catalogue("DEMO", ["A"]));
