import { Anchor } from "@mantine/core";
import { useParams } from "react-router";
import type { AnswerOf } from "../../answer-of.ts";
import { useAnswer } from "../../data.ts";
import { linkTo, type ObjectKind, pathTo } from "../../links.ts";
import { documentName } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { Facts } from "../../parts/page/facts.tsx";
import { clientFact, facilityFact } from "../../parts/page/place-facts.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../session.tsx";
import { CodeBlock } from "../clients/code-block.tsx";
import { ResultBadge } from "./request-list.tsx";
import { type RequestOwner, useRequestOwner } from "./request-owner.ts";

type Logged = AnswerOf<"/request/get/{requestId}">;

/** A request of a client or of a warehouse: its answer, what was wrong with it, and what it is about. */
export function RequestPage() {
  const { requestId = "" } = useParams();
  const owner = useRequestOwner();
  const { clientId } = owner;
  const query = useAnswer("/request/get/{requestId}", { path: { requestId }, query: { clientId } });
  return (
    <Loaded query={query} what="The request" height={480}>
      {(request) => <Whole request={request} owner={owner} />}
    </Loaded>
  );
}

/** The objects that a path names, by the parameter of its template. */
const kinds: Readonly<Record<string, readonly [kind: ObjectKind, word: string]>> = {
  ":orderId": ["order", "Order"],
  ":rmaNumber": ["return", "Return"],
  ":workOrderId": ["workOrder", "Work order"],
  ":transferId": ["transfer", "Transfer"],
  ":unidentifiedId": ["unidentifiedReceipt", "Unidentified goods"],
  ":olpnId": ["parcel", "Parcel"],
  ":webhookId": ["webhook", "Webhook"],
  NO: ["order", "Order"],
  RMA: ["return", "Return"],
};

function aboutOf({ clientId, route, feedType, objectId }: Logged, { facilityCode }: RequestOwner) {
  const parameter = feedType ?? route?.split("/").find((part) => Object.hasOwn(kinds, part)) ?? "";
  const known = kinds[parameter];
  if (objectId === null) return undefined;
  if (!known) return { name: "About", value: objectId };
  // A request of a warehouse names no client, so its object has no address.
  if (facilityCode !== undefined) return { name: known[1], value: objectId };
  return { name: known[1], value: <Go to={linkTo(known[0], clientId, objectId)}>{objectId}</Go> };
}

function Whole({ request, owner }: { readonly request: Logged; readonly owner: RequestOwner }) {
  const { clientId, requestId, at, method, path, query, route, durationMs, address, credentialId } = request;
  const { feedType, objectId, isDocumentStored, problemCode, bodyBytes } = request;
  const maySeeBody = useMay("operator", true);
  const about = aboutOf(request, owner);
  const isOfWarehouse = owner.facilityCode !== undefined;
  return (
    <DetailPage
      what="Request"
      id={requestId}
      name={`${method} ${path}`}
      back={{ to: `${owner.path}/requests`, label: `Requests of ${owner.code}` }}
      state={<ResultBadge {...request} />}
      age={<Time at={at} />}
      facts={[
        { name: "Arrived", value: <Time at={at} isExact /> },
        { name: "Duration", value: `${durationMs} ms` },
        { name: "Path", value: path },
        { name: "Query", value: query },
        { name: "Operation", value: route === path ? undefined : (route ?? "none has this path") },
        isOfWarehouse ? facilityFact(owner.facilityCode) : clientFact(clientId),
        {
          name: "Credential",
          value: credentialId && (
            <Id
              text={credentialId}
              to={`${owner.path}?tab=${isOfWarehouse ? "warehouse" : "credentials"}`}
              length={18}
            />
          ),
        },
        { name: "From", value: address },
        ...(about ? [about] : []),
        {
          name: "Document",
          value: isDocumentStored && (
            <Go
              to={linkTo("feed", "", requestId)}
            >{`${documentName({ type: feedType ?? "", objectId })}, with its ACK`}</Go>
          ),
        },
      ]}
      timeline={problemCode === null ? <NoProblem request={request} /> : <ProblemFacts request={request} />}
      tabs={
        bodyBytes === null || !maySeeBody
          ? []
          : [{ key: "body", label: "Body", content: <Body clientId={clientId} requestId={requestId} /> }]
      }
    />
  );
}

function NoProblem({ request: { isFailed, isDocumentStored, outcome } }: { readonly request: Logged }) {
  if (!isFailed) return <p>The request was answered, without a problem.</p>;
  if (outcome === "rejected") {
    return (
      <p>{isDocumentStored ? "The document was rejected: its page has the errors." : "The document was rejected."}</p>
    );
  }
  return <p>The sender disconnected before the answer began.</p>;
}

function ProblemFacts({ request }: { readonly request: Logged }) {
  const { problemCode, problemTitle, problemDetail, problemCure, errors } = request;
  const code = problemCode ?? "";
  const page =
    problemTitle === null
      ? `/docs/acknowledgements#${code.toLowerCase().replaceAll("_", "-")}`
      : pathTo("problems", code);
  return (
    <>
      <Facts
        title={problemTitle ?? `Refused with ${code}`}
        facts={[
          { name: "Detail", value: problemDetail ?? "erased with the personal data of the order" },
          { name: "Remedy", value: problemCure?.replaceAll("`", "") },
          {
            name: "Explained",
            value: (
              <Anchor href={page} target="_blank" rel="noreferrer" inherit>
                {code}
              </Anchor>
            ),
          },
        ]}
      />
      {errors.length === 0 ? null : (
        <Facts title="Faults" facts={errors.map(({ pointer, message }) => ({ name: pointer, value: message }))} />
      )}
    </>
  );
}

function Body({ clientId, requestId }: { readonly clientId: string; readonly requestId: string }) {
  const body = useAnswer("/request/body/{requestId}", { path: { requestId }, query: { clientId } });
  return (
    <Loaded query={body} what="The body" height={200}>
      {({ text, bytes }) => (
        <Section title="Body" note={`As received, ${bytes} bytes; at most its first 16 KiB are stored.`}>
          <CodeBlock label="Body of the request" text={text} />
        </Section>
      )}
    </Loaded>
  );
}
