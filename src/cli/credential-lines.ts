import { columns } from "#/cli/columns.ts";
import type { OauthSecret } from "#/modules/clients/credentials/credentials.ts";

/** Issued credentials as lines for a person. */
export function credentialLines(issued: {
  readonly feed?: { readonly apiKey: string };
  readonly oauth?: OauthSecret;
  readonly sftp?: { readonly username: string; readonly password?: string };
}): string[] {
  const rows: string[][] = [];
  if (issued.feed) rows.push(["  Feeds", "X-API-KEY", issued.feed.apiKey]);
  if (issued.oauth) {
    rows.push(["  REST", "client_id", issued.oauth.client_id], ["", "client_secret", issued.oauth.client_secret]);
  }
  if (issued.sftp) {
    rows.push(["  SFTP", "user name", issued.sftp.username]);
    rows.push(["", ...(issued.sftp.password === undefined ? ["key", "as given"] : ["password", issued.sftp.password])]);
  }
  return columns(rows);
}
