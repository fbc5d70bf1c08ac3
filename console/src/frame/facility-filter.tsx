import { CloseButton, Combobox, InputBase, Popover } from "@mantine/core";
import { useState } from "react";
import type { FieldOption } from "../parts/fields.tsx";
import { FilterChoices } from "../parts/list/filter-choices.tsx";
import { wordOfValues } from "../parts/list/filter-values.ts";
import { useParamsOfPart, useSetParams } from "../scope.ts";
import styles from "./top-bar.module.css";

/** The facilities of every screen: any number of them, or all but some. */
export function FacilityFilter({ options }: { readonly options: readonly FieldOption[] }) {
  const setParams = useSetParams();
  const value = useParamsOfPart().get("facility") ?? "";
  const [isOpen, setOpen] = useState(false);
  const choose = (next: string) => setParams({ facility: next });
  // Names of several would be cut off.
  const isOne = options.some((option) => option.value === value);
  const word = value === "" ? "All facilities" : wordOfValues(isOne ? { options } : {}, value);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-start" width={280}>
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          size="xs"
          className={styles.filter ?? ""}
          classNames={{ input: styles.facility ?? "" }}
          aria-label={`Facility: ${word}`}
          title={word}
          data-empty={value === ""}
          onClick={() => setOpen(!isOpen)}
          rightSectionPointerEvents={value === "" ? "none" : "auto"}
          rightSection={
            value === "" ? (
              <Combobox.Chevron />
            ) : (
              <CloseButton size="sm" variant="transparent" aria-label="All facilities" onClick={() => choose("")} />
            )
          }
        >
          {word}
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label="Facility">
        <FilterChoices filter={{ key: "facility", label: "Facility", options }} value={value} choose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}
