import type { ServerChannel } from "ssh2";

/** The connection below the channels, which share it. */
export interface Wire {
  /** Nothing more is read from the client while any channel of it asks for that. */
  hold(channel: ServerChannel, isHeld: boolean): void;
  /** What is written until this turn of the event loop is over leaves together: ssh2 writes each packet in pieces. */
  cork(): void;
  /** Whether the operating system has taken what was written. */
  isFull(): boolean;
  /** Calls back when it has, or when the connection is gone. */
  onDrain(work: () => void): void;
}

/** What goes to the client on a channel, with the knowledge of how much of it has not left yet. */
export interface Output {
  send(reply: Buffer): void;
  isFull(): boolean;
  /** Comes when there is room for more, or nobody to read it any more. */
  room(): Promise<void>;
  isWaiting(): boolean;
  /** Nothing is waited for from here on. */
  stopWaiting(): void;
  /** Tells the client how it ended, and closes the channel. @param reason shown to people by clients that run `ssh`. */
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

/** ssh2 throws at whoever writes to a connection that was lost in the same turn. */
function onLiving(write: () => void): void {
  try {
    write();
  } catch {}
}
