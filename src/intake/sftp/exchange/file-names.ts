import { denied, type Refusal } from "#/intake/sftp/file-system.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";

/** The limit of clients' file systems: clients fetch ACKs under the names that the server generates. */
const nameBytesMax = 255;
const ackEnding = ".ack.xml";
const tokenLength = 36;
/** The longest name derived from a file's name: `<name>.<token>.ack.xml`. */
const finalNameBytesMax = nameBytesMax - 1 - tokenLength - ackEnding.length;

/** A file with such a name is not processed when it is closed, but when it is renamed to another name (sftp.md). */
export function isTemporary(name: string): boolean {
  return name.startsWith(".") || /\.(?:tmp|part|filepart)$/i.test(name);
}

/**
 * Whether a file of this name can exist: the database contains no other names. U+FFFD represents bytes that are not
 * UTF-8.
 */
export function canBeName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[\p{Cc}/\ufffd]/u.test(name) && name.isWellFormed();
}

/** Undefined where a file of this name may be put. */
export function refusalOfName(name: string): Refusal | undefined {
  if (!canBeName(name)) {
    return denied("A file needs a name without control characters, slashes and bytes that are not UTF-8");
  }
  const bytes = Buffer.byteLength(name);
  const bytesMax = isTemporary(name) ? nameBytesMax : finalNameBytesMax;
  if (bytes <= bytesMax) return undefined;
  return denied(
    `The name of the file has ${bytes} bytes; the maximum is ${bytesMax}, so that the name of its ACK fits`,
  );
}

export const ownAckName = (name: string, token: string): string => `${name}.${token}${ackEnding}`;

export const plainAckName = (name: string): string => `${name}${ackEnding}`;

/** The forms of an ACK file's name: `<name>.<token>.ack.xml` or, where that does not match, `<name>.ack.xml`. */
export interface AckName {
  readonly own: { readonly name: string; readonly token: string } | undefined;
  readonly plain: string;
}

/** Undefined where the name is not that of an ACK file. */
export function readAckName(fileName: string): AckName | undefined {
  if (!fileName.endsWith(ackEnding) || fileName.length === ackEnding.length) return undefined;
  const plain = fileName.slice(0, -ackEnding.length);
  const token = plain.slice(-tokenLength);
  const name = plain.slice(0, -tokenLength - 1);
  const isOwn = isUuidV7(token) && plain.at(-tokenLength - 1) === "." && name !== "";
  return { own: isOwn ? { name, token } : undefined, plain };
}
