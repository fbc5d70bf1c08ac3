import ssh2, { type ParsedKey, type ServerConfig } from "ssh2";
import type { HostKey } from "#/sftp/server/host-keys.ts";

/** What an RSA key signs as (RFC 8332). */
const rsaSignatures = ["rsa-sha2-512", "rsa-sha2-256"] as const;

/**
 * The host keys as ssh2 takes them. Given an RSA key it offers `ssh-rsa` too, a signature with SHA-1, whatever algorithms
 * it is told; so it is given one of each of the other two kinds of signature, by which it names, signs and shows the key.
 */
export function offeredKeys(hostKeys: readonly HostKey[]): ServerConfig["hostKeys"] {
  return hostKeys.flatMap(({ algorithm, privateKey }): ServerConfig["hostKeys"][number][] => {
    if (algorithm !== "ssh-rsa") return [privateKey];
    const parsed = ssh2.utils.parseKey(privateKey) as ParsedKey;
    return rsaSignatures.map((type) => ({ key: Object.create(parsed, { type: { value: type } }) }));
  });
}
