import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { after, test } from "node:test";
import { opening, shownHost } from "#/app/roles/port-fault.ts";

/** Opens a port the way a role does. */
function listen(host: string, port: number): Promise<void> {
  const listening = {
    host,
    port,
    variable: "CROSSDOCK_SFTP_PORT",
    choices: "0 chooses a free one, off disables SFTP",
  };
  return opening(listening, async () => {
    const server = createServer().listen(port, host);
    after(() => server.close());
    await once(server, "listening");
  });
}

test("a port in use is reported with its variable and the remedies", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await assert.rejects(listen("127.0.0.1", port), {
    message:
      `port ${port} on 127.0.0.1 is in use; stop the other program, or set CROSSDOCK_SFTP_PORT to another ` +
      "(0 chooses a free one, off disables SFTP)",
  });
});

test("an address that is not this machine's is reported with the variable that sets it", async () => {
  await assert.rejects(listen("192.0.2.1", 0), {
    message: "192.0.2.1 is not an address of this machine; set CROSSDOCK_HOST to one",
  });
});

test("the wildcard address is shown as an address that can be reached", () => {
  assert.deepEqual(["0.0.0.0", "::", "127.0.0.1", "::1"].map(shownHost), [
    "localhost",
    "localhost",
    "127.0.0.1",
    "::1",
  ]);
});
