/** The state of a deployment whose alert mails reach no person. */
export const mailMissing = "alerts reach no person, because no mail server is configured";

/** In production mails must reach people; in a sandbox it suffices to show them in the console. */
export function isMailMissing(config: { readonly smtpUrl: string | undefined; readonly environment: string }): boolean {
  return config.environment === "production" && config.smtpUrl === undefined;
}
