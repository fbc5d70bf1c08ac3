import { execFile } from "node:child_process";
import { test } from "node:test";
import { sendRaw } from "../support/raw-request.ts";
import { testServer } from "../support/server.ts";
const server = await testServer();
const demo = await server.onboard("DEMO");
const key = { "content-type": "application/xml", "x-api-key": demo.credentials.feed.apiKey };
function* rep(n: number) { const b = Buffer.alloc(1 << 20, 32); for (let i = 0; i < n; i++) yield b; }
test("x", async () => {
  const count: Record<string, number> = {};
  const tell = (k: string) => (count[k] = (count[k] ?? 0) + 1);
  const curl = (label: string, ...args: string[]) => new Promise<void>((go) => execFile("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Expect:", "-H", "Content-Type: text/xml", "--data-binary", "@/tmp/probe/big", ...args, server.url + "/feeds/DEMO/NO"], (e, out) => { tell(label + " " + out + " exit " + (e?.code ?? 0)); go(); }));
  for (let i = 0; i < 30; i++) {
    await curl("chunked", "-H", "Transfer-Encoding: chunked", "-H", "X-API-KEY: " + key["x-api-key"]);
    await curl("declared", "-H", "X-API-KEY: " + key["x-api-key"]);
    await curl("stranger", "-H", "X-API-KEY: x");
  }
  console.log(count);
});
