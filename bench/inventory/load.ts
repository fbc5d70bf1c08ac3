import { post, runClients } from "../load/clients.ts";
import { listOf, lists } from "./asked.ts";

const [urlText = "", token = "", clients = "32", seconds = "10", skus = "1000"] = process.argv.slice(2);
const url = new URL(urlText);
const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json`;
const requests = Array.from({ length: lists }, (_, list) =>
  post(
    url,
    headers,
    JSON.stringify({ clientId: "DEMO", distributionCentre: "DC1", products: listOf(list, Number(skus)) }),
  ),
);
await runClients({
  url,
  clients: Number(clients),
  seconds: Number(seconds),
  nextRequest: () => requests[Math.floor(Math.random() * requests.length)] as string,
  isGood: (answer) => answer.startsWith("HTTP/1.1 200 ") && answer.includes('"found":true'),
});
