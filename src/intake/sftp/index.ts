export { type ExchangeContext, openExchange, purgeExchange } from "#/sftp/exchange/exchange.ts";
export type * from "#/sftp/file-system.ts";
export type { LogIn, LogIns } from "#/sftp/server/authentication.ts";
export { type HostKey, openHostKeys, sealedHostKeys } from "#/sftp/server/host-keys.ts";
export { type SftpServer, type SftpServerContext, startSftpServer } from "#/sftp/server/server.ts";
