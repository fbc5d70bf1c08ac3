import type { Addresses } from "#/console-api/access/contract.ts";
import type { RelyingParty } from "#/console-api/access/factors/passkeys.ts";
import type { SecondFactor } from "#/console-api/access/factors/second-factor.ts";
import type { SignInWays } from "#/console-api/access/hooks.ts";
import type { SignIn } from "#/console-api/access/sign-in/sign-in.ts";
import type { OutboundDesk } from "#/console-api/outbound/desk.ts";
import type { Database } from "#/db/database.ts";
import type { Receiver } from "#/feeds/intake/receiver.ts";
import type { WriteContext } from "#/http/requests/idempotency.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { RetryReport } from "#/modules/warehouse/index.ts";

/** What the operations of the console work with. */
export interface OperatorContext extends WriteContext {
  /**
   * For what is read over several clients (contract operations.md §5): read-only, few connections, and a statement ends after 5 s.
   */
  readonly across: Database;
  /** Takes documents in, as over HTTP. */
  readonly receiver: Receiver;
  readonly log: Logger;
  /** Judges passwords, over all nodes. */
  readonly signIn: SignIn;
  readonly secondFactor: SecondFactor;
  /** Whose passkeys they are; undefined where there can be none. */
  relyingParty(): RelyingParty | undefined;
  /** Seals what is kept under the master key. */
  readonly secretBox: SecretBox;
  readonly signInWays: SignInWays;
  /** Of this deployment: the keys that are issued carry it. */
  readonly environment: string;
  /** Where clients reach this deployment. */
  addresses(): Addresses;
  readonly outbound: OutboundDesk;
  /** Sends a refused report of a warehouse or carrier again. */
  readonly retryReport: RetryReport;
}
