import type { Algorithms } from "ssh2";

/**
 * What is offered to clients: the modern ones that OpenSSH, WinSCP, FileZilla and paramiko have in common, and none with
 * SHA-1, CBC or compression (whose few bytes can become any number). `rsa-sha2-…` is for clients that do not know Ed25519.
 */
export const algorithms: Algorithms = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    // None of the larger groups: strangers could have 20 ms of our only thread for each, and who knows them knows the others.
    "diffie-hellman-group14-sha256",
  ],
  serverHostKey: ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"],
  // In the order of their speed here; that of the client decides.
  cipher: [
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "aes128-ctr",
    "aes192-ctr",
    "aes256-ctr",
    "chacha20-poly1305@openssh.com",
  ],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"],
  compress: ["none"],
};
