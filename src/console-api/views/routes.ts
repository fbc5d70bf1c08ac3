import { mayActAs } from "#/console-api/access/domain.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import {
  type StoredView,
  view,
  viewDeleted,
  viewList,
  viewPath,
  viewQuery,
  viewSaving,
  viewsMax,
  viewsOfUserMax,
} from "#/console-api/views/contract.ts";
import * as repository from "#/console-api/views/repository.ts";
import { operatorOf } from "#/http/access/operator.ts";
import type { Operator } from "#/http/access/operator-role.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { recordAudit } from "#/store/db/audit.ts";

/** Maximum number of shared views of other users in the list. */
const listMax = 200;

const none = { ofUser: 0, ofScreen: 0 } as const;

/**
 * Saved views (console: lists): a user's own, and those that users share. A user who may see a list may save a view of
 * it.
 */
export function addViewRoutes(service: HttpServer, context: OperatorContext): void {
  const { database } = context;

  service.get(
    "/view/list",
    {
      schema: {
        operationId: "listViews",
        summary: "The saved views of a screen",
        querystring: viewQuery,
        response: { 200: viewList },
      } as const,
      config: { partition: "none" },
    },
    async (request) => {
      const { userName } = operatorOf(request);
      const rows = await repository.listViews(database, userName, request.query.screen, listMax);
      return { items: rows.map((row) => ({ ...row, isOwn: row.userName === userName })) };
    },
  );

  service.post(
    "/view/save",
    {
      schema: {
        operationId: "saveView",
        summary: "Save a view of a screen, or change it",
        description: `A user has up to ${viewsMax} views of a screen, and ${viewsOfUserMax} in all. A view of the same name is replaced. Sharing a view requires the role operator.`,
        headers: createHeaders,
        body: viewSaving,
        response: { 200: view },
      } as const,
      config: { ...answers(409), role: "viewer", isPlatform: true, partition: "none" },
    },
    async (request, reply) => {
      const { userName, role } = operatorOf(request);
      const { screen, name, query, isShared = false } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        if (isShared && !mayActAs(role, "operator")) {
          return refused(problem("conflict", `A ${role} cannot share views: sharing requires the role operator.`));
        }
        const before = await repository.findViewOfName(tx.plain, { userName, screen, name });
        const { ofUser, ofScreen } = before ? none : await repository.countViews(tx.plain, userName, screen);
        if (ofScreen >= viewsMax) {
          return refused(problem("conflict", `There are ${viewsMax} views of this screen already: delete one first.`));
        }
        if (ofUser >= viewsOfUserMax) {
          return refused(problem("conflict", `The user has ${viewsOfUserMax} views already: delete one first.`));
        }
        const viewId = before?.viewId ?? tx.change.ids.next(Date.parse(tx.change.at));
        const saved = { viewId, screen, userName, name, query, isShared, updatedAt: tx.change.at };
        repository.writeView(tx.plain, saved);
        // Its name may be that of a person, and the audit log cannot be changed.
        recordAudit(tx, { action: "save", objectType: "view", objectId: viewId, detail: { screen, isShared } });
        return answered({ ...saved, isOwn: true });
      });
    },
  );

  service.delete(
    "/view/delete/:viewId",
    {
      schema: {
        operationId: "deleteView",
        summary: "Delete a view",
        description: "Own views; an admin without limits also shared ones.",
        params: viewPath,
        headers: createHeaders,
        response: { 204: viewDeleted },
      } as const,
      config: { ...answers(404), role: "viewer", isPlatform: true, partition: "none" },
    },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { viewId } = request.params;
      return answerWrite(context, request, reply, async (tx) => {
        const found = await repository.findView(tx.plain, viewId);
        if (!found || !mayDelete(operator, found)) {
          return refused(problem("not-found", "There is no such view that the user may delete."));
        }
        repository.deleteView(tx.plain, viewId);
        const detail = { screen: found.screen };
        recordAudit(tx, { action: "delete", objectType: "view", objectId: viewId, detail });
        return answered(null, { status: 204 });
      });
    },
  );
}

function mayDelete({ userName, role, clientIds, facilityCodes }: Operator, view: StoredView): boolean {
  const isUnlimitedAdmin = role === "admin" && (clientIds ?? facilityCodes) === null;
  return view.userName === userName || (view.isShared && isUnlimitedAdmin);
}
