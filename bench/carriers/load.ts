import { post, runClients } from "../load/clients.ts";
import { makeRequests } from "./world.ts";

const [urlText = "", token = "", clients = "32", seconds = "10"] = process.argv.slice(2);
const url = new URL(urlText);
const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json`;
const requests = makeRequests(2_000).map((request) => post(url, headers, JSON.stringify(request)));
let turn = 0;
await runClients({
  url,
  clients: Number(clients),
  seconds: Number(seconds),
  nextRequest: () => requests[turn++ % requests.length] as string,
  isGood: (answer) => answer.startsWith("HTTP/1.1 200 "),
});
