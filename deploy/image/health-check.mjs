// The container's health check: ends with 0 when this process answers 200, else with 1 and a line that says why.
// `node health-check.mjs` asks /healthz, `node health-check.mjs /readyz` whether work may be sent here. Plain JavaScript
// without dependencies: it runs every few seconds, and takes 50 ms.
import { get as getPlain } from "node:http";
import { get as getByTls } from "node:https";

const timeoutMs = 4_000;

const { CROSSDOCK_HOST = "", CROSSDOCK_TLS_CERT, CROSSDOCK_TLS_CERT_FILE, PORT } = process.env;
const path = process.argv[2] ?? "/healthz";
const hasTls = Boolean(CROSSDOCK_TLS_CERT || CROSSDOCK_TLS_CERT_FILE);
const target = {
  host: hostOf(CROSSDOCK_HOST),
  port: Number(PORT || 8080),
  path,
  timeout: timeoutMs,
  // The certificate is for the public name, and who answers at the own address is this container.
  rejectUnauthorized: false,
};

const request = (hasTls ? getByTls : getPlain)(target, (response) => {
  response.resume();
  end(response.statusCode === 200 ? undefined : `answered ${response.statusCode}`);
});
request.on("timeout", () => end(`has not answered within ${timeoutMs} ms`));
request.on("error", (error) => end(`does not answer: ${error.message || error.code}`));

/** Who listens on every address is asked at the loopback one. */
function hostOf(listened) {
  if (listened === "" || listened === "0.0.0.0") return "127.0.0.1";
  return listened === "::" ? "::1" : listened;
}

function end(fault) {
  if (fault !== undefined) process.stderr.write(`${path} ${fault}\n`);
  process.exit(fault === undefined ? 0 : 1);
}
