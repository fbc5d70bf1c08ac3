import { useParams } from "react-router";
import { useAnswer } from "../../data.ts";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { clientFact } from "../../parts/page/place-facts.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { CodeBlock } from "../clients/code-block.tsx";

/** A mail as its recipient sees it, sent or not. */
export function MailPage() {
  const { clientId = "", mailId = "" } = useParams();
  const mail = useAnswer("/mail/get/{mailId}", { path: { mailId }, query: { clientId } });
  return (
    <Loaded query={mail} what="The mail" height={480}>
      {({ address, subject, status, text, tries: attempts, lastError, createdAt, nextTryAt, sentAt }) => (
        <DetailPage
          what="Mail"
          id={mailId}
          name={`“${subject}”`}
          back={{ to: "/mails", label: "Mails" }}
          state={<StateBadge kind="mail" state={status} />}
          age={<Age since={createdAt} />}
          facts={[
            { name: "To", value: address },
            { name: "Subject", value: subject },
            clientFact(clientId),
            { name: "Written", value: <Time at={createdAt} isExact /> },
            { name: "Sent", value: sentAt && <Time at={sentAt} isExact /> },
            { name: "Attempts", value: attempts > 0 && attempts },
            { name: "Next attempt", value: nextTryAt && <Time at={nextTryAt} /> },
            { name: "Answer of the mail server", value: lastError },
            { name: "Not sent", value: status === "KEPT" && "There is no mail server (CROSSDOCK_SMTP_URL)." },
          ]}
          timeline={<CodeBlock label="Text of the mail" text={text} />}
        />
      )}
    </Loaded>
  );
}
