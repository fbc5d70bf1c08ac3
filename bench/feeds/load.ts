import { post, runClients } from "../load/clients.ts";
import { order, orderTemplate } from "./documents.ts";

const [urlText = "", apiKey = "", senders = "32", seconds = "10", prefix = "B", rate] = process.argv.slice(2);
const url = new URL(urlText);
const template = orderTemplate();
const headers = `X-API-KEY: ${apiKey}\r\nContent-Type: application/xml`;
let sent = 0;
await runClients({
  url,
  clients: Number(senders),
  seconds: Number(seconds),
  rate: rate === undefined ? undefined : Number(rate),
  nextRequest: () => post(url, headers, order(template, `${prefix}-${++sent}`, Math.random())),
  isGood: (answer) => answer.includes("<success>true</success>"),
});
