export { type ExchangeContext, openExchange, purgeExchange } from "#/intake/sftp/exchange/exchange.ts";
export type * from "#/intake/sftp/file-system.ts";
export type { LogIn, LogIns } from "#/intake/sftp/server/authentication.ts";
export { type HostKey, openHostKeys, sealedHostKeys } from "#/intake/sftp/server/host-keys.ts";
export { type SftpServer, type SftpServerContext, startSftpServer } from "#/intake/sftp/server/server.ts";
