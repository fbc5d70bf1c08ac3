import { post, runClients } from "../load/clients.ts";
import { makeRequests } from "./world.ts";

const [urlText = "", token = "", seconds = "10", skuList = ""] = process.argv.slice(2);
const url = new URL(urlText);
const skus = skuList.split(",");
const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json`;
const linesOfBasket = 5;
const addressed = makeRequests(1_000).filter(({ shipTo }) => shipTo.zip !== undefined && shipTo.zip !== "");
const requests = addressed.map(({ shipTo: { country, zip } }, i) => {
  const lines = Array.from({ length: linesOfBasket }, (_, line) => ({
    sku: skus[(i * linesOfBasket + line) % skus.length],
    qty: 1 + ((i + line) % 3),
  }));
  return post(url, headers, JSON.stringify({ shipToAddress: { country, zip }, lines }));
});
let turn = 0;
await runClients({
  url,
  clients: 8,
  seconds: Number(seconds),
  nextRequest: () => requests[turn++ % requests.length] as string,
  isGood: (answer) => answer.startsWith("HTTP/1.1 200 "),
});
