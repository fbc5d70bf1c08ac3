import { MultiSelect, NativeSelect, SegmentedControl } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useClients } from "../../directory.ts";
import { notifyFailed } from "../../parts/actions/notify.ts";
import { Facts } from "../../parts/page/facts.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { useHasNoLimits, useMay } from "../../session.tsx";
import styles from "./sandbox.module.css";
import { type FaultName, faultWords, paces, rates, type Sandbox } from "./sandbox-words.ts";

type Patch = components["schemas"]["SandboxPatch"];

export const sandboxKey = ["sandbox"] as const;

function useSandboxChange() {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Patch) => api.PATCH("/sandbox/patch", { body }),
    onError: (error) => notifyFailed("The sandbox stays as it was", error),
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxKey }),
  });
  const mayChange = useMay("operator");
  // The simulator works for all clients and facilities.
  const hasNoLimits = useHasNoLimits();
  return { isFixed: !mayChange || !hasNoLimits, set: (body: Patch) => change.mutate(body) };
}

/** Fault rates, and clients that are worked by hand. Each change takes effect at once. */
export function SandboxSettings({ sandbox }: { readonly sandbox: Sandbox }) {
  const change = useSandboxChange();
  return (
    <div className={styles.settings}>
      <Faults sandbox={sandbox} {...change} />
      <ByHand sandbox={sandbox} {...change} />
    </div>
  );
}

interface PartProps {
  readonly sandbox: Sandbox;
  readonly isFixed: boolean;
  set(patch: Patch): void;
}

/** The speed of the simulation. */
export function Pace({ sandbox }: { readonly sandbox: Sandbox }) {
  const { isFixed, set } = useSandboxChange();
  const now = String(sandbox.speed);
  // The configured pace may differ from the offered ones.
  const data = paces.some(({ value }) => value === now) ? [...paces] : [...paces, { value: now, label: `${now}×` }];
  return (
    <Section title="Pace" note="At 1× an order is delivered about 35 seconds after its release.">
      <SegmentedControl
        aria-label="Pace of the simulated warehouse"
        fullWidth
        data={data}
        value={now}
        disabled={isFixed}
        onChange={(value) => set({ speed: Number(value) })}
      />
    </Section>
  );
}

function ByHand({ sandbox, isFixed, set }: PartProps) {
  const clients = useClients().map(({ clientId, name }) => ({ value: clientId, label: `${clientId} · ${name}` }));
  const facilities = sandbox.facilities.map(({ facilityCode }) => facilityCode);
  return (
    <Section title="Manual" note="Objects that wait until a user steps them.">
      <div className={styles.stack}>
        <Names
          label="Manually stepped clients"
          description="Their orders wait until they are stepped."
          data={clients}
          value={sandbox.byHand}
          isFixed={isFixed}
          onChange={(byHand) => set({ byHand })}
        />
        <Names
          label="Silent facilities"
          description="They read no tasks and send no reports, as if their system were down."
          data={[...new Set([...facilities, ...sandbox.silent])].map((value) => ({ value, label: value }))}
          value={sandbox.silent}
          isFixed={isFixed}
          onChange={(silent) => set({ silent })}
        />
      </div>
    </Section>
  );
}

interface NamesProps {
  readonly label: string;
  readonly description: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: readonly string[];
  readonly isFixed: boolean;
  onChange(value: string[]): void;
}

/** A selection of names; read-only users see it as text. */
function Names({ label, description, data, value, isFixed, onChange }: NamesProps) {
  if (isFixed) return <Facts facts={[{ name: label, value: value.length === 0 ? "none" : value.join(", ") }]} />;
  return (
    <MultiSelect
      label={label}
      description={description}
      onChange={onChange}
      data={[...data]}
      value={[...value]}
      placeholder={value.length === 0 ? "None" : ""}
    />
  );
}

function Faults({ sandbox, isFixed, set }: PartProps) {
  return (
    <Section title="What goes wrong" note="Applies to new work. The same order always has the same outcome.">
      <div className={styles.faults}>
        {Object.entries(faultWords).map(([name, [label, meaning]]) => {
          const now = String(sandbox.faults[name as FaultName]);
          const data = rates.some(({ value }) => value === now)
            ? [...rates]
            : [...rates, { value: now, label: `${Math.round(Number(now) * 1_000) / 10} in 100` }];
          return (
            <NativeSelect
              key={name}
              label={label}
              description={meaning}
              data={data}
              value={now}
              disabled={isFixed}
              onChange={(event) => set({ faults: { [name]: Number(event.currentTarget.value) } })}
            />
          );
        })}
      </div>
    </Section>
  );
}
