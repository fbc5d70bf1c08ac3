// A way to a server that does something at a byte of the stream that the test has chosen.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Wire {
  readonly port: number;
  /** When so many bytes more have gone in that direction, it calls back; those bytes have been passed on, none behind. */
  arm(direction: "up" | "down", bytes: number, act: () => void): void;
  /** Ends both sides at once, as a cable that is pulled. */
  cut(): void;
  /** Whether the armed byte came. */
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
      // What was said before the end still gets there.
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
      // Of a program that was killed, what it had already handed over still arrives.
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
