import { table } from "#/cli/columns.ts";
import { type Command, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { type Platform, withPlatform } from "#/cli/context.ts";
import { progressBar } from "#/cli/progress-bar.ts";
import { progressLines } from "#/cli/progress-lines.ts";
import { platformClient, recordAudit } from "#/db/audit.ts";
import { ok } from "#/kernel/result.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { rotateSigningKey } from "#/modules/clients/oauth/index.ts";
import { masterKeyOf } from "#/secrets/master-key.ts";
import { openSecretBox } from "#/secrets/open-secret-box.ts";
import { type Rotation, rotateMasterKey, type UnopenedText } from "#/secrets/rotate.ts";

export const secretRotate: Command = {
  name: "secret rotate",
  summary: "Encrypts stored secrets anew under a new master key, or makes a new key for access tokens.",
  arguments: [],
  options: [
    { name: "signing-key", meaning: "of access tokens instead: a new one signs in five seconds; tokens live on" },
    {
      name: "withdraw-tokens",
      meaning: "with --signing-key, for a key that is known to others: every token issued so far is refused at once",
    },
  ],
  notes: [
    "What is sealed under CROSSDOCK_SECRET_PREVIOUS is sealed under CROSSDOCK_SECRET. It runs beside servers, may be ended anywhere and run again. Before it every server must know both keys: docs/keys-and-data.md says in which order.",
    "A text that neither key opens is named, and exits 1; all others are done nevertheless.",
    "Keys of access tokens are also rotated by themselves: every 30 days, the next one published a day before it signs.",
  ],
  run(call) {
    const isWithdrawn = call.flag("withdraw-tokens");
    if (isWithdrawn && !call.flag("signing-key"))
      return Promise.resolve(misuse("--withdraw-tokens is of --signing-key"));
    return withPlatform((platform) =>
      call.flag("signing-key") ? rotateSigning(platform, isWithdrawn) : rotateMaster(platform),
    );
  },
};

async function rotateSigning(platform: Platform, withdraws: boolean): Promise<Outcome> {
  const secretBox = await openSecretBox(platform.config, platform.database);
  const rotated = await platform.change(async (tx, change) => {
    const key = await rotateSigningKey(tx, { secretBox, nowMs: Date.parse(change.at), withdraws });
    recordAudit(tx, platformClient, change, {
      action: "rotate",
      objectType: "signingKey",
      objectId: key.keyId,
      detail: { retired: key.retired, withdrawn: key.withdrawn },
    });
    return ok(key);
  });
  if (!rotated.ok) return rotated;
  const { keyId, signsFrom, retired, withdrawn } = rotated.value;
  const before = withdraws
    ? `${withdrawn} key(s) before it are withdrawn: their tokens are refused, at the latest within 60 s.`
    : `${retired} key(s) before it sign no more; their tokens live until they end.`;
  return done({ ...rotated.value }, [`Key ${keyId} signs access tokens from ${signsFrom} on.`, before]);
}

async function rotateMaster(platform: Platform): Promise<Outcome> {
  const { config, database } = platform;
  const secretBox = createSecretBox(masterKeyOf(config), config.secretPrevious);
  const onProgress = process.stderr.isTTY ? progressBar() : progressLines();
  const rotation = await rotateMasterKey({ database, secretBox, onProgress });
  const sum = (count: "resealed" | "current" | "changed" | "unopened") =>
    rotation.columns.reduce((total, column) => total + column[count], 0);
  const resealed = sum("resealed");
  if (resealed > 0) {
    await platform.change(async (tx, change) => {
      const detail = { resealed, unopened: sum("unopened") };
      recordAudit(tx, platformClient, change, { action: "rotate", objectType: "masterKey", objectId: "-", detail });
      return ok(undefined);
    });
  }
  const isAgain = sum("changed") > 0;
  const lines = [...linesOf(rotation), conclusionOf(resealed, isAgain, config.secretPrevious !== undefined)];
  const json = { resealed, current: sum("current"), changed: sum("changed"), ...rotation };
  if (rotation.unopened.length === 0) return done(json, lines);
  const reason = [
    `${sum("unopened")} text(s) are opened by neither CROSSDOCK_SECRET nor CROSSDOCK_SECRET_PREVIOUS:`,
    ...rotation.unopened.map((text) => `  ${placeOf(text)}`),
    "set the key that they are sealed under as CROSSDOCK_SECRET_PREVIOUS and run this again, or have them made anew",
  ];
  return refuse(reason.join("\n"), { json, lines: linesOf(rotation) });
}

function conclusionOf(resealed: number, isAgain: boolean, hasPrevious: boolean): string {
  if (isAgain) return "Some were changed by others meanwhile: run this again.";
  if (resealed > 0)
    return "Nothing is left under the key before: once this is run again and says so, it may be removed.";
  return hasPrevious
    ? "Nothing is sealed under CROSSDOCK_SECRET_PREVIOUS: it may be removed."
    : "Everything is sealed under CROSSDOCK_SECRET; CROSSDOCK_SECRET_PREVIOUS is not set.";
}

function linesOf({ columns }: Rotation): string[] {
  const rows = columns.map((it) => [
    `${it.table}.${it.column}`,
    ...[it.resealed, it.current, it.changed, it.unopened].map(String),
  ]);
  return table(["WHERE", "SEALED ANEW", "WAS CURRENT", "CHANGED MEANWHILE", "NOT OPENED"], rows, "");
}

const placeOf = ({ table: name, column, clientId, key }: UnopenedText) =>
  `${name}.${column} of ${clientId === undefined ? "" : `client ${clientId}, `}${key}`;
