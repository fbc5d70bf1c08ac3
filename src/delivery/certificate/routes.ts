import { SignJWT } from "jose";
import { certificateCases } from "#/delivery/certificate/cases.ts";
import {
  type CertificateContent,
  certificate,
  certificateBody,
  certificateQuery,
  evidenceDays,
} from "#/delivery/certificate/contract.ts";
import { readEvidence } from "#/delivery/certificate/evidence.ts";
import { findCertificate, storeCertificate } from "#/delivery/certificate/repository.ts";
import { listSubscriptions, type TestContext, trySignature } from "#/delivery/webhooks/index.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers, interfaceVersion } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { changeOf, type ServiceContext } from "#/http/routes/operation.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { newestXsds } from "#/intake/feeds/http/xsd-routes.ts";
import { refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { algorithm, type SigningKey } from "#/modules/clients/oauth/index.ts";
import { recordAudit } from "#/store/db/audit.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

export interface CertificateContext extends ServiceContext, TestContext {
  readonly environment: string;
  /** Of the platform. */
  readonly version: string;
  /** The key that signs tokens signs certificates too: their types and audiences differ. */
  readonly signingKey: () => Promise<SigningKey>;
}

/** Each receiver may take as long as a push may: more of them do not fit into an answer. */
const receiversMax = 5;

const notIssued = problem("not-found", "No certificate has been issued: certificate/create issues one.");

/** The certificate of going live (docs/going-live.md). */
export function addCertificateRoutes(service: HttpServer, context: CertificateContext): void {
  const { database, clock } = context;

  service.post(
    "/certificate/create",
    {
      schema: {
        operationId: "createCertificate",
        summary: "Judge the cases of going live by what the platform saw, and sign the result",
        description: `The cases of the page Going live of the documentation, by the newest 2,000 rows of each log in the last ${evidenceDays} days. Each active webhook, at most ${receiversMax}, gets a signed test and one with a wrong signature. The result replaces the earlier one.`,
        querystring: certificateQuery,
        body: certificateBody,
        response: { 200: certificate },
      } as const,
      config: { isBodyOptional: true, answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const content = await judgeCases(context, clientId);
      await database.ofClient(clientId).transaction(async (tx) => {
        const unit = tx.of(clientId, changeOf(context, request));
        storeCertificate(unit, content);
        const open = content.cases.filter(({ status }) => status === "OPEN" || status === "FAILED");
        const detail = { isComplete: content.isComplete, open: open.map(({ caseId }) => caseId) };
        recordAudit(unit, { action: "issue", objectType: "certificate", objectId: clientId, detail });
      });
      return signed(context, content);
    },
  );

  service.get(
    "/certificate/get",
    {
      schema: {
        operationId: "getCertificate",
        summary: "The newest certificate of going live",
        querystring: certificateQuery,
        response: { 200: certificate },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const content = await findCertificate(database.of(clientIdOf(request)));
      return content ? signed(context, content) : refused(notIssued);
    },
  );

  async function judgeCases(
    { environment, version }: CertificateContext,
    clientId: string,
  ): Promise<CertificateContent> {
    const atMs = clock.now();
    const sinceMs = atMs - evidenceDays * dayMs;
    const { seen, subscriptions } = await readSnapshot(database.ofClient(clientId), async (tx) => {
      const view = tx.of(clientId);
      const [found, listed] = await Promise.all([readEvidence(view, { sinceMs, atMs }), listSubscriptions(view)]);
      return { seen: found, subscriptions: listed };
    });
    const active = subscriptions.filter(({ kind, status }) => kind === "WEBHOOK" && status === "ACTIVE");
    const receivers = await Promise.all(active.slice(0, receiversMax).map((webhook) => trySignature(context, webhook)));
    const cases = certificateCases.map(({ judge, ...facts }) => ({ ...facts, ...judge({ ...seen, receivers }) }));
    return {
      clientId,
      environment,
      issuedAt: new Date(atMs).toISOString(),
      evidenceFrom: new Date(sinceMs).toISOString(),
      isComplete: cases.every(({ status }) => status === "PASSED" || status === "NOT_NEEDED"),
      platformVersion: version,
      interfaceVersion,
      schemas: newestXsds,
      cases,
    };
  }
}

/** Signed when it is read: the key of an old signature is no longer published. */
async function signed({ signingKey }: CertificateContext, content: CertificateContent) {
  const { keyId, privateKey } = await signingKey();
  const signature = await new SignJWT({ ...content })
    .setProtectedHeader({ alg: algorithm, typ: "certificate+jwt", kid: keyId })
    .setSubject(content.clientId)
    .setIssuedAt(Math.floor(Date.parse(content.issuedAt) / 1000))
    .sign(privateKey);
  return { ...content, signature };
}
