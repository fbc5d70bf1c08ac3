// A TCP proxy that acts at a chosen byte of the stream.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire {
  readonly port: number;
  /** Calls back when this many more bytes have passed in that direction; no later byte has been passed on. */
  arm(direction: "up" | "down", bytes: number, act: () => void): void;
  /** Closes both sides at once, like a pulled cable. */
  cut(): void;
  /** Whether the armed byte was reached. */
  readonly isReached: boolean;
  close(): Promise<void>;
}

export async function startWire(target: { readonly host: string; readonly port: number }): Promise<Wire> {
  const sockets = new Set<Socket>();
  let armed: { readonly direction: "up" | "down"; left: number; readonly act: () => void } | undefined;
  let isReached = false;

  function pass(direction: "up" | "down", from: Socket, to: Socket): void {
    sockets.add(from);
    from.setNoDelay();
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      // Data sent before the end still arrives.
      to.end();
    });
    from.on("data", (chunk: Buffer) => {
      if (armed?.direction !== direction || chunk.length < armed.left) {
        if (armed?.direction === direction) armed.left -= chunk.length;
        to.write(chunk);
        return;
      }
      const { left, act } = armed;
      armed = undefined;
      isReached = true;
      to.write(chunk.subarray(0, left));
      setImmediate(act);
      from.pause();
      // Data that a killed program has already handed over still arrives.
      setImmediate(() => {
        if (!to.destroyed) to.write(chunk.subarray(left));
        from.resume();
      });
    });
  }

  const listener = createServer((inward) => {
    const outward = connect(target.port, target.host);
    pass("up", inward, outward);
    pass("down", outward, inward);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    arm(direction, bytes, act) {
      armed = { direction, left: Math.max(1, Math.floor(bytes)), act };
    },
    cut,
    get isReached() {
      return isReached;
    },
    async close() {
      cut();
      const closed = once(listener, "close");
      listener.close();
      await closed;
    },
  };
}
