import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ActionButton } from "../actions/action-button.tsx";
import { sentenceOf } from "../loading/problem.tsx";
import styles from "./data-list.module.css";
import type { BulkAction } from "./list-types.ts";

interface ListBulkProps<Row> {
  readonly rows: readonly Row[];
  readonly actions: readonly BulkAction<Row>[];
  clear(): void;
  /** More rows match than are chosen. */
  chooseAll?(): Promise<void>;
  /** More rows match than can be chosen. */
  readonly isCut: boolean;
}

/** Actions on the selected rows. */
export function ListBulk<Row>({ rows, actions, clear, chooseAll, isCut }: ListBulkProps<Row>) {
  const choosing = useMutation({ mutationFn: async () => chooseAll?.() });
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected rows">
      <span>{rows.length === 1 ? "1 row chosen" : `${isCut ? "The first " : ""}${rows.length} rows chosen`}</span>
      {choosing.error === null ? null : <span role="alert">{sentenceOf(choosing.error)}</span>}
      {chooseAll === undefined ? null : (
        <Button variant="subtle" size="compact-sm" loading={choosing.isPending} onClick={() => choosing.mutate()}>
          Choose all that match
        </Button>
      )}
      {actions.map((action) => (
        <ActionButton
          key={action.verb}
          verb={action.verb}
          size="xs"
          {...action.confirm?.(rows)}
          {...(action.fields === undefined ? {} : { fields: action.fields })}
          {...(action.role === undefined ? {} : { role: action.role })}
          {...(action.done === undefined ? {} : { done: action.done })}
          isDestructive={action.isDestructive === true}
          run={async (values) => {
            await action.run(rows, values);
            clear();
          }}
        />
      ))}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}
