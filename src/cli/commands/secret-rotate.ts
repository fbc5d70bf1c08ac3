import { masterKeyOf } from "#/app/secrets/master-key.ts";
import { openSecretBox } from "#/app/secrets/open-secret-box.ts";
import { type Rotation, rotateMasterKey, type UnopenedText } from "#/app/secrets/rotate.ts";
import { table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { type Platform, withPlatform } from "#/cli/context.ts";
import { showProgress } from "#/cli/progress.ts";
import { ok } from "#/kernel/result.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { rotateSigningKey } from "#/modules/clients/oauth/signing-keys.ts";
import { platformClient, recordAudit } from "#/store/db/audit.ts";

export function secretRotate(call: Call): Promise<Outcome> {
  const isWithdrawn = call.flag("withdraw-tokens");
  if (isWithdrawn && !call.flag("signing-key")) return Promise.resolve(misuse("--withdraw-tokens needs --signing-key"));
  return withPlatform((platform) =>
    call.flag("signing-key") ? rotateSigning(platform, isWithdrawn) : rotateMaster(platform),
  );
}

async function rotateSigning(platform: Platform, withdraws: boolean): Promise<Outcome> {
  const secretBox = await openSecretBox(platform.config, platform.database);
  const rotated = await platform.change(async (tx, change) => {
    const key = await rotateSigningKey(tx, { secretBox, nowMs: Date.parse(change.at), withdraws });
    recordAudit(tx.of(platformClient, change), {
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
    ? `${withdrawn} previous key(s) are withdrawn: their tokens are refused within 60 s.`
    : `${retired} previous key(s) no longer sign; their tokens stay valid until they expire.`;
  return done({ ...rotated.value }, [`Key ${keyId} signs access tokens from ${signsFrom} on.`, before]);
}

async function rotateMaster(platform: Platform): Promise<Outcome> {
  const { config, database } = platform;
  const secretBox = createSecretBox(masterKeyOf(config), config.secretPrevious);
  const onProgress = showProgress();
  const rotation = await rotateMasterKey({ database, secretBox, onProgress });
  const sum = (count: "resealed" | "current" | "changed" | "unopened") =>
    rotation.columns.reduce((total, column) => total + column[count], 0);
  const resealed = sum("resealed");
  if (resealed > 0) {
    await platform.change(async (tx, change) => {
      const detail = { resealed, unopened: sum("unopened") };
      recordAudit(tx.of(platformClient, change), { action: "rotate", objectType: "masterKey", objectId: "-", detail });
      return ok(undefined);
    });
  }
  const mustRepeat = sum("changed") > 0;
  const lines = [...linesOf(rotation), conclusionOf(resealed, mustRepeat, config.secretPrevious !== undefined)];
  const json = { resealed, current: sum("current"), changed: sum("changed"), ...rotation };
  if (rotation.unopened.length === 0) return done(json, lines);
  const reason = [
    `${sum("unopened")} text(s) are decrypted by neither CROSSDOCK_SECRET nor CROSSDOCK_SECRET_PREVIOUS:`,
    ...rotation.unopened.map((text) => `  ${placeOf(text)}`),
    "set the key with which they are encrypted as CROSSDOCK_SECRET_PREVIOUS and run this again, or issue them again",
  ];
  return refuse(reason.join("\n"), { json, lines: linesOf(rotation) });
}

function conclusionOf(resealed: number, mustRepeat: boolean, hasPrevious: boolean): string {
  if (mustRepeat) return "Some texts were changed during the run: run this again.";
  if (resealed > 0)
    return "No text is left under the previous key. Run this again to confirm; then remove CROSSDOCK_SECRET_PREVIOUS.";
  return hasPrevious
    ? "No text is encrypted with CROSSDOCK_SECRET_PREVIOUS: it can be removed."
    : "All texts are encrypted with CROSSDOCK_SECRET; CROSSDOCK_SECRET_PREVIOUS is not set.";
}

function linesOf({ columns }: Rotation): string[] {
  const rows = columns.map((column) => [
    `${column.table}.${column.column}`,
    ...[column.resealed, column.current, column.changed, column.unopened].map(String),
  ]);
  return table(["WHERE", "RE-ENCRYPTED", "WAS CURRENT", "CHANGED MEANWHILE", "NOT OPENED"], rows, "");
}

const placeOf = ({ table: name, column, clientId, key }: UnopenedText) =>
  `${name}.${column} of ${clientId === undefined ? "" : `client ${clientId}, `}${key}`;
