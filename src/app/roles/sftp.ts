import { opening, shownHost } from "#/app/roles/port-fault.ts";
import { masterKeyOf } from "#/app/secrets/master-key.ts";
import { createOutboundFolders } from "#/delivery/outbound/index.ts";
import { createRateLimiter, limitOf, type RateLimit } from "#/http/access/rate-limit.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { type OpenFolders, openExchange, openHostKeys, startSftpServer, type Visitor } from "#/intake/sftp/index.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { createNameDelay } from "#/kernel/security/log-in-guard.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { createLogInNotes, createSftpLogIns, type Directory } from "#/modules/clients/index.ts";
import type { Database } from "#/store/db/database.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";

export interface SftpRoleContext {
  readonly config: Config;
  readonly database: Database;
  readonly directory: Directory;
  readonly receiver: Receiver;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Reports which parts are on hold after a restore. */
  readonly isHeld: AskHold;
}

export interface SftpRole {
  /** Host name at which this machine reaches the server. */
  readonly host: string;
  readonly port: number;
  /** `SHA256:…` of the host key that clients are offered first. */
  readonly fingerprint: string;
  /** Called when clients or credentials have changed. Disconnects sessions that are no longer allowed. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether this process serves SFTP: it has the role, and the port is not switched off. */
export function servesSftp({ sftp, roles }: Config, requestedRoles: Iterable<RoleName> = roles): boolean {
  return sftp.port !== "off" && [...requestedRoles].includes("sftp");
}

/** Minimum wait of a session that exceeds its rate. */
const waitMsMin = 10;

/** The SFTP server over the inbound and outbound folders. */
export async function startSftp(context: SftpRoleContext): Promise<SftpRole> {
  const { config, database, directory, receiver, clock, ids, log } = context;
  const { port } = config.sftp;
  assert(port !== "off", "SFTP is not switched off");
  const secretBox = createSecretBox(masterKeyOf(config), config.secretPrevious);
  const hostKeys = await openHostKeys({ database, clock, secretBox });
  const [shownFirst] = hostKeys;
  assert(shownFirst, "there is a host key");
  const limiter = createRateLimiter({ database, clock, log });
  const limitOfClient = async (clientId: string) =>
    limitOf((await directory.findClient(clientId))?.settings.rateLimit ?? config.rateLimit);
  const keyOf = ({ credentialId }: Visitor) => `credential ${credentialId}`;
  const openInbound = openExchange({
    database,
    clock,
    ids,
    log,
    receiver,
    findClient: (clientId) => directory.findClient(clientId),
    chargeRate(visitor, units) {
      const charge = (limit: RateLimit | "off") => limit !== "off" && limiter.charge(keyOf(visitor), limit, units);
      // Without the store, uploads fail anyway.
      limitOfClient(visitor.clientId).then(charge, () => {});
    },
  });
  const openOutbound = createOutboundFolders({ database, clock, isHeld: context.isHeld });
  const noteLogIn = createLogInNotes(database, clock);
  const openFolders: OpenFolders = (visitor) => {
    noteLogIn(visitor.actor.replace(/^sftp:/, ""));
    return new Map([...openInbound(visitor), ...openOutbound(visitor)]);
  };
  const { host } = config.http;
  const choices = "0 chooses a free one, off disables SFTP";
  const server = await opening({ host, port, variable: "CROSSDOCK_SFTP_PORT", choices }, () =>
    startSftpServer({
      host,
      port,
      hostKeys,
      database,
      clock,
      ids,
      log,
      openFolders,
      async takeRate(visitor) {
        const limit = await limitOfClient(visitor.clientId);
        if (limit === "off" || limiter.take(keyOf(visitor), limit).isAllowed) return 0;
        return Math.max(waitMsMin, 1_000 / limit.perSecond);
      },
      logIns: createSftpLogIns(database, config.environment),
      nameDelay: createNameDelay(limiter, "sftp"),
    }),
  );
  const fingerprints = hostKeys.map(({ fingerprint }) => fingerprint);
  log.info({ host: server.host, port: server.port, fingerprints }, "SFTP is served");
  return {
    host: shownHost(host),
    port: server.port,
    fingerprint: shownFirst.fingerprint,
    check: () => server.check(),
    async stop() {
      await server.stop();
      await limiter.close();
    },
  };
}
