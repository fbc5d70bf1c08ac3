import type { Addresses } from "#/console-api/access/contract.ts";
import type { RelyingParty } from "#/console-api/access/factors/passkeys.ts";
import type { SecondFactor } from "#/console-api/access/factors/second-factor.ts";
import type { SignInMethods } from "#/console-api/access/hooks.ts";
import type { SignIn } from "#/console-api/access/sign-in/sign-in.ts";
import type { OutboundService } from "#/console-api/outbound/outbound-service.ts";
import type { SourceClient } from "#/delivery/labels/index.ts";
import type { RateLimiter } from "#/http/access/rate-limit.ts";
import type { WriteContext } from "#/http/requests/idempotency.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { PrintContext } from "#/modules/documents/index.ts";
import type { RetryReport } from "#/modules/warehouse/index.ts";
import type { Database } from "#/store/db/database.ts";

/** The dependencies of the operations of the console. */
export interface OperatorContext extends WriteContext {
  /**
   * For reads over several clients (contract operations.md §5): read-only, few connections, and a statement ends after
   * 4.5 s.
   */
  readonly across: Database;
  /** Receives documents, as over HTTP. */
  readonly receiver: Receiver;
  readonly log: Logger;
  /** Checks passwords, with limits over all nodes. */
  readonly signIn: SignIn;
  readonly secondFactor: SecondFactor;
  /** The owner of the passkeys; undefined where passkeys are impossible. */
  relyingParty(): RelyingParty | undefined;
  /** Seals data that is stored under the master key. */
  readonly secretBox: SecretBox;
  readonly signInMethods: SignInMethods;
  /** The environment of this deployment: issued keys contain it. */
  readonly environment: string;
  /** The mail server, if one is configured. */
  readonly mail: Config["mail"];
  /** URL at which browsers reach the console. */
  consoleUrl(): string;
  readonly limiter: RateLimiter;
  /** In production no mail server is configured. */
  readonly isMailMissing: boolean;
  /** The public addresses of this deployment. */
  addresses(): Addresses;
  readonly outbound: OutboundService;
  /** Events of the client wait for the relay again. */
  onCommit(clientId: string): void;
  /** Tasks of these facilities have changed: wakes the warehouses that wait for them. */
  onTasks(facilityCodes: Iterable<string>): void;
  /** Sends the test requests of label sources. */
  readonly sourceClient: SourceClient;
  /** Why label sources and webhooks of rules must not be at this URL; undefined: they may. */
  refusalOfSourceUrl(url: string): string | undefined;
  /** Prints the papers of orders. */
  readonly printService: PrintContext["printService"];
  /** Resends a refused report of a warehouse or carrier. */
  readonly retryReport: RetryReport;
}
