import { Button } from "@mantine/core";
import { useState } from "react";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useMay } from "../../session.tsx";
import type { Rule } from "./carrier-data.ts";
import styles from "./carriers.module.css";
import { useDraft } from "./draft/draft.tsx";
import { RuleForm } from "./rule-form.tsx";
import { sayCondition, sayEffect } from "./rule-parts.ts";

interface Placed {
  readonly rule: Rule;
  /** Index in the set, as in the pointers of faults. */
  readonly place: number;
}

const effectOf = ({ rule }: Placed) => sayEffect(rule.then as Record<string, unknown>);
const conditionOf = ({ rule }: Placed) => sayCondition(rule.when);

/** The business rules by priority, in words. Each is edited in a form, and validated at once. */
export function Rules() {
  const { data, faults, change } = useDraft();
  const [edited, setEdited] = useState<number | "new" | undefined>();
  const mayEdit = useMay("operator");
  const rules = data.rules ?? [];
  const placed = rules
    .map((rule, place) => ({ rule, place }))
    .sort((left, right) => left.rule.priority - right.rule.priority);
  const faultsOf = (place: number) =>
    faults?.filter(({ pointer }) => `${pointer}/`.startsWith(`#/rules/${place}/`)) ?? [];
  const columns: readonly Column<Placed>[] = [
    { key: "priority", of: ({ rule }) => rule.priority },
    {
      key: "ruleId",
      header: "Rule",
      width: 244,
      cell: ({ rule, place }) =>
        mayEdit ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setEdited(place)}>
            {rule.ruleId}
          </Button>
        ) : (
          rule.ruleId
        ),
      text: ({ rule }) => rule.ruleId,
    },
    { key: "when", header: "When", width: 330, wraps: true, of: conditionOf },
    { key: "then", header: "Then", width: 270, wraps: true, of: effectOf },
    {
      key: "valid",
      header: "In force",
      width: 130,
      wraps: true,
      cell: ({ rule: { validFrom, validTo } }) =>
        validFrom === undefined && validTo === undefined ? "always" : `${validFrom ?? "…"} to ${validTo ?? "…"}`,
      text: ({ rule: { validFrom, validTo } }) => `${validFrom ?? ""} ${validTo ?? ""}`.trim(),
    },
    {
      key: "faults",
      header: "Validation",
      width: 120,
      wraps: true,
      cell: ({ place }) => {
        const faults = faultsOf(place);
        return faults.length === 0 ? (
          "sound"
        ) : (
          <ToneBadge tone="failed" text={faults.length === 1 ? "1 fault" : `${faults.length} faults`} />
        );
      },
      text: ({ place }) => String(faultsOf(place).length),
    },
  ];
  const put = (rule: Rule | undefined) => {
    const place = edited === "new" ? rules.length : (edited ?? rules.length);
    const next =
      rule === undefined ? rules.filter((_, i) => i !== place) : Object.assign([...rules], { [place]: rule });
    change({ ...data, rules: next });
    setEdited(undefined);
  };
  return (
    <div className={styles.stack}>
      {mayEdit ? (
        <div>
          <Button size="xs" onClick={() => setEdited("new")}>
            Add rule
          </Button>
        </div>
      ) : null}
      <StaticList
        id="carrier-rules"
        label="Rules"
        columns={columns}
        rows={placed}
        rowId={({ place }) => String(place)}
        empty={{ why: "No rules: the cheapest service that fits is chosen." }}
      />
      {edited === undefined ? null : (
        <RuleForm
          rule={edited === "new" ? undefined : rules[edited]}
          nextPriority={Math.max(0, ...rules.map(({ priority }) => priority)) + 10}
          close={() => setEdited(undefined)}
          save={put}
        />
      )}
    </div>
  );
}
