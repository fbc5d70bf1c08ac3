import type { ServerChannel } from "ssh2";

/** The connection that the channels share. */
export interface Wire {
  /** Reads nothing from the client while any channel holds the connection. */
  hold(channel: ServerChannel, isHeld: boolean): void;
  /** Sends everything written in this turn of the event loop together: ssh2 writes each packet in pieces. */
  cork(): void;
  /** Whether too many written bytes wait for the operating system. */
  isFull(): boolean;
  /** Calls back when they are written, or when the connection is gone. */
  onDrain(work: () => void): void;
}

/** The output of a channel, which tracks its unsent bytes. */
export interface Output {
  send(reply: Buffer): void;
  isFull(): boolean;
  /** Resolves when there is room for more, or when the client is gone. */
  room(): Promise<void>;
  isWaiting(): boolean;
  /** From now on, no call waits. */
  stopWaiting(): void;
  /**
   * Sends the exit code to the client, and closes the channel. @param reason shown to people by clients that run `ssh`.
   */
  finish(exitCode: number, reason?: string): void;
}

const unsentBytesMax = 512 * 1024;

export function createOutput(channel: ServerChannel, wire: Wire): Output {
  let unsentBytes = 0;
  let isRushed = false;
  let wake: (() => void) | undefined;

  const isFull = () => !isRushed && (unsentBytes > unsentBytesMax || wire.isFull());

  function look(): void {
    if (wake === undefined || isFull()) return;
    wake();
    wake = undefined;
  }

  return {
    send(reply) {
      if (!channel.writable) return;
      unsentBytes += reply.length;
      wire.cork();
      onLiving(() => {
        channel.write(reply, () => {
          unsentBytes -= reply.length;
          look();
        });
      });
    },
    isFull,
    async room() {
      while (isFull()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (wire.isFull()) wire.onDrain(look);
        });
      }
    },
    isWaiting: () => wake !== undefined,
    stopWaiting() {
      isRushed = true;
      look();
    },
    finish(exitCode, reason) {
      if (!channel.writable) return;
      onLiving(() => {
        if (reason !== undefined) channel.stderr.write(`${reason}\r\n`);
        channel.exit(exitCode);
        channel.end();
      });
    },
  };
}

/** ssh2 throws on a write to a connection that was lost in the same turn. */
function onLiving(write: () => void): void {
  try {
    write();
  } catch {}
}
