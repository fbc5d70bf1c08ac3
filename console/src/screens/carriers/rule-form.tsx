import { Button, Group, Modal, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { Rule } from "./carrier-data.ts";
import styles from "./carriers.module.css";
import { ConditionFields } from "./condition-fields.tsx";
import { useDraft } from "./draft/draft.tsx";
import { EffectFields } from "./effect-fields.tsx";
import { type ConditionRows, conditionOf, rowsOf, sayCondition, sayEffect } from "./rule-parts.ts";

interface RuleFormProps {
  /** undefined: a new one. */
  readonly rule: Rule | undefined;
  readonly nextPriority: number;
  close(): void;
  /** undefined: the rule is deleted. */
  save(rule: Rule | undefined): void;
}

type Json = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

function readJson(text: string): Json {
  try {
    return { ok: true, value: text.trim() === "" ? undefined : JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  }
}

/** Form of a rule: its condition and its effect. It is validated during input. Nested conditions are edited as JSON. */
export function RuleForm({ rule, nextPriority, close, save }: RuleFormProps) {
  const { data } = useDraft();
  const [head, setHead] = useState({
    ruleId: rule?.ruleId ?? "",
    priority: rule?.priority ?? nextPriority,
    validFrom: rule?.validFrom ?? "",
    validTo: rule?.validTo ?? "",
  });
  const [rows, setRows] = useState<ConditionRows | undefined>(() => rowsOf(rule?.when));
  const [json, setJson] = useState(() => JSON.stringify(rule?.when ?? {}, null, 2));
  const [then, setThen] = useState<Record<string, unknown>>({ ...(rule?.then ?? { exclude: true }) });
  const written = rows === undefined ? readJson(json) : ({ ok: true, value: conditionOf(rows) } as const);
  const made = {
    ruleId: head.ruleId.trim(),
    priority: head.priority,
    ...(written.ok && written.value !== undefined ? { when: written.value } : {}),
    then,
    ...(head.validFrom === "" ? {} : { validFrom: head.validFrom }),
    ...(head.validTo === "" ? {} : { validTo: head.validTo }),
  } as Rule;
  const others = (data.rules ?? []).filter((other) => other !== rule);
  const checked = useData(["rule", "check", JSON.stringify(made), others.length], async (signal) => {
    const body = { data: { ...data, rules: [...others, made] } };
    const { faults } = await api.POST("/carrierData/check", { body, signal });
    return faults.filter(({ pointer }) => `${pointer}/`.startsWith(`#/rules/${others.length}/`));
  });
  const faults = written.ok
    ? (checked.data ?? [])
    : [{ pointer: "#/when", message: `is not valid JSON: ${written.message}` }];
  const set = (name: keyof typeof head) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setHead((before) => ({ ...before, [name]: value }));
  };
  return (
    <Modal opened onClose={close} size="xl" title={rule ? `Rule ${rule.ruleId}` : "New rule"}>
      <Form
        className={styles.stack}
        submit={() => {
          if (written.ok) save(made);
        }}
      >
        <div className={styles.pair}>
          <TextInput
            label="Rule"
            description="Shown with every decision that it changes."
            required
            value={head.ruleId}
            onChange={set("ruleId")}
            placeholder="no-air-hazmat"
          />
          <NumberInput
            label="Priority"
            description="The lowest number runs first."
            min={0}
            value={head.priority}
            onChange={(value) => setHead((before) => ({ ...before, priority: Number(value) }))}
          />
          <TextInput type="date" label="Valid from" value={head.validFrom} onChange={set("validFrom")} />
          <TextInput type="date" label="Valid until" value={head.validTo} onChange={set("validTo")} />
        </div>
        {rows === undefined ? (
          <Textarea
            label="When, as JSON"
            description="all, any, not over comparisons {field, op, value}."
            autosize
            minRows={6}
            maxRows={20}
            value={json}
            onChange={(event) => setJson(event.currentTarget.value)}
          />
        ) : (
          <ConditionFields
            rows={rows}
            change={setRows}
            asJson={() => {
              setJson(JSON.stringify(conditionOf(rows) ?? {}, null, 2));
              setRows(undefined);
            }}
          />
        )}
        <EffectFields then={then} change={setThen} services={data.services} />
        <p>
          When {written.ok ? sayCondition(written.value) : "…"}, {sayEffect(then)}.
        </p>
        {faults.length === 0 ? null : (
          <Notice tone="waiting" title="The rule is not valid">
            {faults.map(({ pointer, message }) => (
              <div key={`${pointer} ${message}`}>
                <code>{pointer.replace(`#/rules/${others.length}`, "") || "rule"}</code> {message}
              </div>
            ))}
          </Notice>
        )}
        <Group justify="space-between">
          {rule === undefined ? (
            <span />
          ) : (
            <Button variant="default" c="var(--tone-failed)" onClick={() => save(undefined)}>
              Remove from the draft
            </Button>
          )}
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" disabled={!written.ok || head.ruleId.trim() === ""}>
              {rule ? "Change in the draft" : "Add to the draft"}
            </Button>
          </Group>
        </Group>
      </Form>
    </Modal>
  );
}
