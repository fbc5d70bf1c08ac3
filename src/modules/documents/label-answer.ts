import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import { findDocumentAs, sendForm } from "#/modules/documents/document-answer.ts";
import type { PrintContext } from "#/modules/documents/print-documents.ts";
import * as repository from "#/modules/documents/repository.ts";
import { documentBytes, documentHeaders, documentUnchanged } from "#/modules/documents/rest-contract.ts";
import { findPurchaseOf } from "#/modules/labels/index.ts";

/** Of the operation in each service; its query differs. */
export const labelSchema = {
  summary: "The shipping label of a parcel",
  description:
    "A label that is bought from its carrier exists in the form in which the carrier made it; others as PDF, ZPL and PNG, chosen by the header Accept. While it is being bought, the answer is a 409 with Retry-After; where no label source sells it, a 409 with the reason.",
  params: Type.Object({ olpnId: identifier("The parcel.", "006141410000000012") }, closed),
  headers: documentHeaders,
  response: { 200: documentBytes, 304: documentUnchanged },
} as const;

/** Seconds after which a label that is being bought is asked for again. */
const retryAfterSeconds = "2";

interface LabelOf {
  readonly clientId: string;
  readonly orderId: string;
  readonly olpnId: string;
}

/** Sends the label of a parcel that exists, or says why there is none yet. */
export async function sendLabel(
  context: PrintContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { clientId, orderId, olpnId }: LabelOf,
): Promise<FastifyReply> {
  const view = context.database.of(clientId);
  const forms = await repository.listForms(view, { orderId, olpnId, type: "SHIPPING_LABEL", language: "en" });
  const [form] = forms;
  const found =
    form && (await findDocumentAs(view, form.documentId, { format: undefined, accept: request.headers.accept }));
  if (found) {
    reply.header("Vary", "Accept");
    return found.ok ? sendForm(context, request, reply, clientId, found.value) : sendProblem(reply, found.fault);
  }
  const purchase = await findPurchaseOf(view, olpnId);
  if (purchase?.status === "PENDING") {
    const detail = `The label of parcel ${olpnId} is being bought from ${purchase.sourceCode}.`;
    return sendProblem(reply, problem("conflict", detail, { headers: { "Retry-After": retryAfterSeconds } }));
  }
  if (purchase?.status === "FAILED") {
    const detail = `No label source sells the label of parcel ${olpnId}; ${purchase.sourceCode}: ${purchase.error}. An operator decides in the console.`;
    return sendProblem(reply, problem("conflict", detail));
  }
  return sendProblem(reply, problem("not-found", `Parcel ${olpnId} has no label.`));
}
