import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api.ts";
import { notifyDone } from "../../parts/actions/notify.ts";
import { counted } from "../../parts/counted.ts";
import { Form } from "../../parts/form.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { useMay } from "../../session.tsx";
import styles from "../clients/clients.module.css";
import { type HeadersPatch, headerLines, headersPatchOf } from "./header-lines.ts";
import { hostOf, topicsOf, type Webhook } from "./webhook-data.ts";
import { bodyOf, isWhole, type WebhookDraft, WebhookFields } from "./webhook-fields.tsx";

/** Changes a webhook in place. The dialog says first what happens to waiting deliveries. */
export function EditWebhook({ webhook }: { readonly webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay("operator", true)) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Edit webhook
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Edit webhook" size="lg">
        {isOpen ? <EditForm webhook={webhook} close={() => setOpen(false)} /> : null}
      </Modal>
    </>
  );
}

interface EditFormProps {
  readonly webhook: Webhook;
  close(): void;
}

function EditForm({ webhook: loaded, close }: EditFormProps) {
  // The page loads the webhook again and again; the form, and the version that it changes, stay as they were opened.
  const [webhook] = useState(loaded);
  const storedNames = Object.keys(webhook.customHeaders);
  const [draft, setDraft] = useState<WebhookDraft>({
    description: webhook.description ?? "",
    topicNames: topicsOf(webhook),
    facilityCode: webhook.facilityCode,
    url: webhook.url,
    contentType: webhook.contentType,
    httpSignature: webhook.httpSignature === true,
    emails: webhook.emailList.join(", "),
  });
  const [headers, setHeaders] = useState(() => headerLines(storedNames));
  const patched = headersPatchOf(headers, storedNames);
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (customHeaders: HeadersPatch) => {
      const { clientId, webhookId, version } = webhook;
      const description = draft.description.trim() === "" ? null : draft.description.trim();
      return api.PATCH("/client/webhook/patch/{webhookId}", {
        params: { path: { webhookId }, query: { clientId }, header: { "if-match": `"${version}"` } },
        body: { ...bodyOf(draft), description, customHeaders },
      });
    },
    onSuccess: async () => {
      close();
      notifyDone("The webhook was changed.");
      await queries.invalidateQueries();
    },
  });
  const isElsewhere = hostOf(draft.url.trim()) !== hostOf(webhook.url);
  return (
    <Form submit={() => "patch" in patched && saving.mutate(patched.patch)}>
      <Stack gap="md">
        <Text component="div">{effectOf(loaded)}</Text>
        <WebhookFields clientId={webhook.clientId} draft={draft} error={saving.error} onChange={setDraft} />
        <Textarea
          label="Headers"
          description="One on each line, “Name: value”. *** keeps the stored value, which is never shown; a line that you delete removes its header."
          value={headers}
          onChange={(event) => setHeaders(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          error={"fault" in patched ? patched.fault : undefined}
        />
        {isElsewhere && storedNames.length > 0 ? (
          <p role="note" className={styles.once}>
            The new receiver gets every header that is listed with ***. Delete those that only {hostOf(webhook.url)} may
            see.
          </p>
        ) : null}
        {saving.error === null ? null : (
          <p role="alert" className={styles.fault}>
            {sentenceOf(saving.error)}
          </p>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={"fault" in patched || !isWhole(draft)}>
            Save webhook
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

const laterEvents = "Other topics or another facility apply to events from now on.";

/** Effect of a change on deliveries: those that wait keep their event, and take the address and headers as saved. */
function effectOf({ status, health: { pending } }: Webhook): string {
  if (status === "DISABLED") return `The webhook stays disabled until you resume it. ${laterEvents}`;
  const waiting =
    pending === 0
      ? "No delivery waits."
      : `${counted(pending, "delivery waits and is", "deliveries wait and are")} sent to the address below, with the headers below, whatever topics and facility you choose.`;
  const when: Readonly<Record<typeof status, string>> = {
    ACTIVE: "",
    FAILING: " Another address or header is tried at once.",
    PAUSED: " The webhook stays paused until you resume it.",
  };
  return `${waiting}${when[status]} ${laterEvents}`;
}
