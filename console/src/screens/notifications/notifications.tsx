import { useState } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Screen, Section } from "../../parts/page/screen.tsx";
import { UnkeptSecrets } from "../../parts/unkept-secrets.tsx";
import styles from "../clients/clients.module.css";
import {
  changesOf,
  placesText,
  type Rule,
  recipientText,
  selectionText,
  useRuleFields,
  whenText,
} from "./rule-fields.ts";

type Message = components["schemas"]["NotificationMessage"];

const messageColumns: readonly Column<Message>[] = [
  { key: "title", header: "Message", width: 250, wraps: true },
  { key: "ruleName", header: "Rule", width: 110, wraps: true },
  { key: "recipient", header: "To", width: 160, wraps: true },
  { key: "status", states: "mail" },
  { key: "tries" },
  { key: "answer", header: "Answer", width: 170, wraps: true },
  { key: "createdAt", header: "Written" },
  { key: "nextTryAt", header: "Next attempt" },
  { key: "messageId", kind: "token", isHiddenAtFirst: true },
];

const noScope: readonly never[] = [];

/** Rules that report people what is wrong, and the messages that they wrote. */
export function Notifications() {
  const listed = useAnswer("/notificationRule/list", {});
  const [made, setMade] = useState<Rule>();
  const [isKept, setKept] = useState(true);
  const keep = (rule: Rule) => {
    if (rule.signingSecret === null) return;
    setMade(rule);
    setKept(false);
  };
  const columns: readonly Column<Rule>[] = [
    { key: "name", header: "Rule", width: 130, wraps: true },
    { key: "isActive", states: "user", header: "State", of: ({ isActive }) => (isActive ? "ACTIVE" : "PAUSED") },
    { key: "to", header: "To", width: 180, wraps: true, of: recipientText },
    { key: "kinds", header: "Reports", width: 180, wraps: true, of: selectionText },
    { key: "places", header: "Clients, facilities", width: 140, wraps: true, of: placesText },
    { key: "when", header: "When", width: 140, wraps: true, of: whenText },
    {
      key: "actions",
      header: "Actions",
      width: 240,
      cell: (rule) => <Actions rule={rule} keep={keep} />,
      text: () => "",
    },
  ];
  return (
    <Screen title="Notifications" actions={<AddRule keep={keep} />}>
      {made === undefined ? null : (
        <Section title={`Signing secret of ${made.name}`}>
          <p className={styles.once}>Shown only now. The receiver verifies the signature with it.</p>
          <pre className={styles.block}>{made.signingSecret}</pre>
          <div className={styles.buttons}>
            <CopyText text={made.signingSecret ?? ""} verb="Copy" onCopied={() => setKept(true)} />
          </div>
        </Section>
      )}
      <UnkeptSecrets areKept={isKept} />
      <Section title="Rules" note="What lasts is reported once, and again as a reminder.">
        <Loaded query={listed} what="The rules" height={240}>
          {({ items }) => (
            <StaticList
              id="notification-rules"
              label="Rules"
              columns={columns}
              rows={items}
              rowId={({ ruleId }) => ruleId}
              empty={{ why: "No rule is set up: no one is notified." }}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Messages" note="Those of the last 90 days.">
        <DataList
          id="notification-messages"
          label="Messages"
          columns={messageColumns}
          scope={noScope}
          fetchPage={pagesOf("/notificationMessage/list")}
          height={400}
          empty={{ why: "No message was written." }}
          live={10_000}
        />
      </Section>
    </Screen>
  );
}

function AddRule({ keep }: { keep(rule: Rule): void }) {
  return (
    <ActionButton
      verb="Add rule"
      role="admin"
      isPrimary
      title="Add rule"
      text="It begins with what is wrong now."
      fields={useRuleFields()}
      run={async ({ channel = "MAIL", ...values }) => {
        const body = { ...changesOf(values), channel: channel as Rule["channel"] };
        keep(await api.POST("/notificationRule/create", { body }));
      }}
      done="The rule was added."
    />
  );
}

function Actions({ rule, keep }: { readonly rule: Rule; keep(made: Rule): void }) {
  const { ruleId, name, isActive, version, channel } = rule;
  const params = { path: { ruleId } };
  const patch = async (body: components["schemas"]["NotificationRulePatch"]) =>
    keep(
      await api.PATCH("/notificationRule/patch/{ruleId}", {
        params: { ...params, header: { "if-match": `"${version}"` } },
        body,
      }),
    );
  const common = { role: "admin", size: "xs" } as const;
  return (
    <div className={styles.buttons}>
      <ActionButton
        {...common}
        verb="Test"
        label={`Test ${name}`}
        title={`Send a test message of ${name}`}
        text="It is sent at once to each recipient. The list of messages shows the answer."
        run={() => api.POST("/notificationRule/test/{ruleId}", { params })}
        done="The test message is being sent."
      />
      <ActionButton
        {...common}
        verb="Change"
        label={`Change ${name}`}
        title={`Change ${name}`}
        fields={useRuleFields(rule)}
        run={(values) => patch(changesOf(values))}
        done={`${name} was changed.`}
      />
      {channel === "WEBHOOK" ? (
        <ActionButton
          {...common}
          verb="New secret"
          label={`New secret of ${name}`}
          title={`New secret of ${name}`}
          text="The present secret signs nothing more."
          run={() => patch({ hasNewSecret: true })}
        />
      ) : null}
      <ActionButton
        {...common}
        verb={isActive ? "Pause" : "Resume"}
        label={`${isActive ? "Pause" : "Resume"} ${name}`}
        title={`${isActive ? "Pause" : "Resume"} ${name}`}
        text={isActive ? "It reports nothing until it is resumed." : "It reports what is wrong now."}
        run={() => patch({ isActive: !isActive })}
      />
      <ActionButton
        {...common}
        verb="Delete"
        label={`Delete ${name}`}
        title={`Delete ${name}`}
        text="Its messages stay in the list; those that wait are not sent."
        isDestructive
        run={() => api.DELETE("/notificationRule/delete/{ruleId}", { params })}
        done={`${name} was deleted.`}
      />
    </div>
  );
}
