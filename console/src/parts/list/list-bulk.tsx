import { Button } from "@mantine/core";
import { ActionButton } from "../actions/action-button.tsx";
import styles from "./data-list.module.css";
import type { BulkAction } from "./list-types.ts";

interface ListBulkProps<Row> {
  readonly rows: readonly Row[];
  readonly actions: readonly BulkAction<Row>[];
  clear(): void;
}

/** Actions on the selected rows. */
export function ListBulk<Row>({ rows, actions, clear }: ListBulkProps<Row>) {
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected rows">
      <span>{rows.length === 1 ? "1 row chosen" : `${rows.length} rows chosen`}</span>
      {actions.map((action) => {
        const confirm = action.confirm?.(rows);
        return (
          <ActionButton
            key={action.verb}
            verb={action.verb}
            size="xs"
            {...(confirm === undefined ? {} : { confirm })}
            {...(action.fields === undefined ? {} : { fields: action.fields })}
            {...(action.role === undefined ? {} : { role: action.role })}
            {...(action.done === undefined ? {} : { done: action.done })}
            isDestructive={action.isDestructive === true}
            run={async (values) => {
              await action.run(rows, values);
              clear();
            }}
          />
        );
      })}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}
