import type { OperatorContext } from "#/console-api/context.ts";
import { isSevere } from "#/console-api/notifications/conditions.ts";
import * as contract from "#/console-api/notifications/contract.ts";
import { addressesOf } from "#/delivery/mail/note.ts";
import {
  deleteRule,
  findRule,
  listMessages,
  listRules,
  makeSecret,
  newSettings,
  openTarget,
  type Rule,
  type RuleSettings,
  rulesMax,
  saveRule,
  sealTarget,
  testContent,
  titleOf,
  writeMessages,
} from "#/delivery/notifications/index.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, changeHeaders, createHeaders } from "#/http/requests/idempotency.ts";
import { entityTag, refusalOfVersion } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

const byAdmins = { role: "admin", isPlatform: true } as const;
const unknownRule = problem("not-found", "There is no notification rule of this id.");
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Notification rules: only an admin without limits may use these routes. */
export function addNotificationRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, secretBox } = context;

  service.get(
    "/notificationRule/list",
    {
      schema: {
        operationId: "listNotificationRules",
        summary: "The notification rules",
        description: "Requires an admin without limits.",
        response: { 200: contract.ruleList },
      } as const,
      config: { ...answers(), ...byAdmins },
    },
    async () => ({ items: (await listRules(database)).map((stored) => recordOf(stored)) }),
  );

  service.get(
    "/notificationRule/get/:ruleId",
    {
      schema: {
        operationId: "getNotificationRule",
        summary: "A notification rule",
        description: "Requires an admin without limits.",
        params: contract.rulePath,
        response: { 200: contract.rule },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request, reply) => {
      const found = await findRule(database, request.params.ruleId);
      if (!found) return refused(unknownRule);
      return reply.header("ETag", entityTag(found.version)).send(recordOf(found));
    },
  );

  service.post(
    "/notificationRule/create",
    {
      schema: {
        operationId: "createNotificationRule",
        summary: "Set up a notification rule",
        description: "It begins with the conditions that exist now. Requires an admin without limits.",
        headers: createHeaders,
        body: contract.ruleCreate,
        response: { 201: contract.rule },
      } as const,
      config: { ...answers(409, 422), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { channel, name, ...changes } = request.body;
        const rules = await listRules(tx.plain);
        if (rules.length >= rulesMax) {
          return refused(problem("conflict", `There are ${rulesMax} notification rules already: delete one first.`));
        }
        const { at, actor, ids } = tx.change;
        const rule: Rule = {
          ruleId: ids.next(Date.parse(at)),
          name,
          channel,
          isActive: true,
          settings: newSettings,
          targetSealed: null,
          updatedBy: actor,
          createdAt: at,
          updatedAt: at,
          version: 0,
        };
        return store(tx, rule, changes, "create");
      }),
  );

  service.patch(
    "/notificationRule/patch/:ruleId",
    {
      schema: {
        operationId: "patchNotificationRule",
        summary: "Change a notification rule",
        description: "Messages that wait are sent to the new address of a webhook. Requires an admin without limits.",
        params: contract.rulePath,
        headers: changeHeaders,
        body: contract.rulePatch,
        response: { 200: contract.rule },
      } as const,
      config: { ...answers(404, 409, 412, 422), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const before = await findRule(tx.plain, request.params.ruleId);
        if (!before) return refused(unknownRule);
        const stale = refusalOfVersion(request.headers["if-match"], before.version);
        return stale ? refused(stale) : store(tx, before, request.body, "patch");
      }),
  );

  service.delete(
    "/notificationRule/delete/:ruleId",
    {
      schema: {
        operationId: "deleteNotificationRule",
        summary: "Delete a notification rule",
        description: "Its messages stay in the list; those that wait are not sent. Requires an admin without limits.",
        params: contract.rulePath,
        headers: createHeaders,
        response: { 204: contract.nothing("The rule is deleted.") },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const found = await findRule(tx.plain, request.params.ruleId);
        if (!found) return refused(unknownRule);
        deleteRule(tx.plain, found.ruleId, tx.change.at);
        recordAudit(tx, { action: "delete", objectType: "notificationRule", objectId: found.ruleId });
        return answered(null, { status: 204 });
      }),
  );

  service.post(
    "/notificationRule/test/:ruleId",
    {
      schema: {
        operationId: "testNotificationRule",
        summary: "Send a test message of a rule",
        description:
          "To each recipient, at once, whatever its schedule and quiet hours. The list of messages shows the answers. Requires an admin without limits.",
        params: contract.rulePath,
        headers: createHeaders,
        response: { 204: contract.nothing("The message waits to be sent.") },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const found = await findRule(tx.plain, request.params.ruleId);
        if (!found) return refused(unknownRule);
        writeMessages(tx.plain, tx.change, found, testContent(found.name, context.consoleUrl()));
        recordAudit(tx, { action: "test", objectType: "notificationRule", objectId: found.ruleId });
        return answered(null, { status: 204 });
      }),
  );

  service.get(
    "/notificationMessage/list",
    {
      schema: {
        operationId: "listNotificationMessages",
        summary: "Messages of the notification rules, the newest first",
        description: "Requires an admin without limits.",
        querystring: contract.messageQuery,
        response: { 200: contract.messagePage },
      } as const,
      config: { ...answers(), ...byAdmins },
    },
    (request) =>
      readPage(request.query, {
        cursors: contract.messageCursor,
        read: (after, limit) => listMessages(database, after?.id ?? lastId, limit),
        placeOf: ({ messageId }) => ({ id: messageId }),
        itemOf: ({ content, dueAt, ...shown }) => ({
          ...shown,
          title: titleOf(content),
          conditions: content.items.length + content.more,
          nextTryAt: shown.status === "PENDING" ? dueAt : null,
        }),
      }),
  );

  function store(tx: UnitOfWork, before: Rule, changes: contract.RuleChanges, action: "create" | "patch") {
    const { name = before.name, isActive = before.isActive, url, hasNewSecret = false, ...given } = changes;
    const target = openTarget(secretBox, before);
    const isNewSecret = before.channel === "WEBHOOK" && (hasNewSecret || target === undefined);
    const secret = isNewSecret ? makeSecret(before.channel) : (target?.secret ?? null);
    const newUrl = url ?? target?.url;
    const settings: RuleSettings = {
      ...before.settings,
      ...given,
      dailyAt: orNone(given.dailyAt, before.settings.dailyAt),
      quietFrom: orNone(given.quietFrom, before.settings.quietFrom),
      quietUntil: orNone(given.quietUntil, before.settings.quietUntil),
      remindHours: orNone(given.remindHours, before.settings.remindHours),
      shownUrl: url === undefined ? before.settings.shownUrl : `${URL.parse(url)?.origin ?? ""}/…`,
    };
    const faults = faultsOf(before, settings, newUrl);
    if (faults.length > 0) {
      const detail = faults.map(({ pointer, message }) => `${pointer.slice(2)} ${message}`).join("; ");
      return refused(problem("unprocessable", `${detail}.`, { errors: faults }));
    }
    const stored: Rule = {
      ...before,
      name,
      isActive,
      settings,
      targetSealed: newUrl === undefined ? null : sealTarget(secretBox, before.ruleId, { url: newUrl, secret }),
      updatedBy: tx.change.actor,
      updatedAt: tx.change.at,
      version: before.version + 1,
    };
    saveRule(tx.plain, stored);
    // Not the mail addresses: the audit log cannot be changed.
    const { addresses: _, ...detail } = settings;
    const { ruleId: objectId, channel, version } = stored;
    const facts = { name, channel, isActive, version, ...detail, recipients: settings.addresses.length };
    recordAudit(tx, { action, objectType: "notificationRule", objectId, detail: facts });
    const body = recordOf(stored, isNewSecret ? secret : null);
    const keptBody = { ...body, signingSecret: body.signingSecret === null ? null : "***" };
    const tag = { ETag: entityTag(version) };
    if (action === "patch") return answered(body, { headers: tag, keptBody });
    const headers = { ...tag, Location: `${service.prefix}/notificationRule/get/${objectId}` };
    return answered(body, { status: 201, headers, keptBody });
  }

  function faultsOf({ channel }: Rule, settings: RuleSettings, url: string | undefined): RequestFault[] {
    const { addresses, kinds, severity, schedule, dailyAt, quietFrom, quietUntil, timeZone } = settings;
    const faults: RequestFault[] = [];
    const fault = (field: string, message: string) => faults.push({ pointer: `#/${field}`, message });
    if (channel === "MAIL") {
      if (url !== undefined) fault("url", "is for webhooks: a MAIL rule has addresses");
      if (addresses.length === 0) fault("addresses", "is required for MAIL");
      if (addressesOf(addresses).length < addresses.length)
        fault("addresses", "contains a text that is no mail address");
    } else {
      if (addresses.length > 0) fault("addresses", `is for MAIL: a ${channel} rule has a url`);
      const refusal = url === undefined ? "is required for a webhook" : context.refusalOfSourceUrl(url);
      if (refusal !== undefined) fault("url", refusal);
    }
    if (severity === "SEVERE" && kinds.length > 0 && !kinds.some(isSevere)) {
      fault("severity", "leaves out every kind of the rule");
    }
    if (schedule === "DAILY" && dailyAt === null) fault("dailyAt", "is required for DAILY");
    if ((quietFrom === null) !== (quietUntil === null)) fault("quietUntil", "and quietFrom are set together");
    else if (quietFrom !== null && quietFrom === quietUntil) fault("quietUntil", "differs from quietFrom");
    if (!isTimeZone(timeZone)) fault("timeZone", "is no IANA time zone, such as Europe/London");
    return faults;
  }
}

/** An empty text and 0 remove the value. */
const orNone = <T>(given: T | undefined, before: T | null): T | null => (given === undefined ? before : given || null);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function recordOf(stored: Rule, signingSecret: string | null = null): contract.RuleRecord {
  const { settings, targetSealed: _, createdAt: _created, ...shown } = stored;
  return { ...shown, ...settings, signingSecret } as contract.RuleRecord;
}
