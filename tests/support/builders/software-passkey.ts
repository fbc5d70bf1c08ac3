// A WebAuthn authenticator in software (ES256, attestation "none"). Tests can make it send false values.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** A text or bytes of CBOR (RFC 8949): major type, length, content. */
function item(major: number, content: Uint8Array): Buffer {
  const { length } = content;
  const head =
    length < 24 ? [major + length] : length < 256 ? [major + 24, length] : [major + 25, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}
const text = (value: string) => item(0x60, Buffer.from(value));
const bytes = (value: Uint8Array) => item(0x40, value);

/** False values in a response. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  /** The key of another authenticator. */
  readonly key?: KeyObject;
  readonly credentialId?: string;
  /** Without user presence. */
  readonly isUntouched?: boolean;
}

export class SoftwarePasskey {
  readonly origin: string;
  readonly credentialId = base64url(randomBytes(32));
  readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  counter = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** RegistrationResponseJSON of the options. */
  register({ challenge }: { readonly challenge: string }, lies: Lies = {}): Record<string, unknown> {
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" });
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      ...[bytes(Buffer.from(x, "base64url")), Buffer.from([0x22]), bytes(Buffer.from(y, "base64url"))],
    ]);
    const id = Buffer.from(this.credentialId, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const authData = Buffer.concat([this.data(0x41, lies), attested]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData"), bytes(authData)],
    ]);
    const clientData = this.clientData("webauthn.create", challenge, lies);
    return this.answer({
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestation),
      transports: ["usb"],
    });
  }

  /** AuthenticationResponseJSON of the options. */
  sign({ challenge }: { readonly challenge: string }, lies: Lies = {}): Record<string, unknown> {
    const authData = this.data(0x01, lies);
    const clientData = this.clientData("webauthn.get", challenge, lies);
    const signed = createSign("sha256").update(Buffer.concat([authData, sha256(clientData)]));
    const signature = signed.sign(lies.key ?? this.keys.privateKey);
    const response = { clientDataJSON: base64url(clientData), authenticatorData: base64url(authData) };
    return this.answer({ ...response, signature: base64url(signature) }, lies.credentialId);
  }

  private answer(response: object, id = this.credentialId): Record<string, unknown> {
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }

  private clientData(type: string, challenge: string, lies: Lies): Buffer {
    const clientData = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
    };
    return Buffer.from(JSON.stringify({ ...clientData, crossOrigin: false }));
  }

  private data(
    flags: number,
    { rpId = new URL(this.origin).hostname, counter = ++this.counter, isUntouched }: Lies,
  ): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([isUntouched ? flags & ~1 : flags]), count]);
  }
}
