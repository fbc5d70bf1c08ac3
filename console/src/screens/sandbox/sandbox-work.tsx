import { Button, Table } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useClients } from "../../directory.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { notifyDone, notifyFailed } from "../../parts/actions/notify.ts";
import type { Values } from "../../parts/fields.tsx";
import { Id } from "../../parts/id.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { optionsOf } from "../../parts/options.ts";
import { Section } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { useHasNoLimits, useMay } from "../../session.tsx";
import styles from "./sandbox.module.css";
import { kindWord, type SandboxFacility, steppedText, stepWord, type Work, wayToWork } from "./sandbox-words.ts";

type Step = components["schemas"]["SandboxStep"];

const ends = optionsOf({
  "": "One step",
  pick: "Up to picked",
  pack: "Up to packed",
  despatch: "Up to despatched",
  deliver: "Up to delivered",
});

async function takeStep(body: Step): Promise<void> {
  const stepped = await api.POST("/sandbox/step", { body });
  const text = steppedText(stepped, body.objectId);
  if (stepped.done.length > 0 && (stepped.reason === null || stepped.reason === "NOTHING_TO_DO")) notifyDone(text);
  else notifyFailed("Nothing more was done", new Error(text));
}

/** Objects in hand of the simulated warehouse, with a button for the next step of each. */
export function SandboxWork({ facilities }: { readonly facilities: readonly SandboxFacility[] }) {
  const rows = facilities.flatMap(({ facilityCode, jobs }) => jobs.map((job) => ({ facilityCode, job })));
  return (
    <Section
      title="In progress"
      note="Next steps, the soonest first. Objects that are stepped manually wait for their step."
      actions={<StepAny facilities={facilities} />}
    >
      {rows.length === 0 ? (
        <Empty why="No work: everything that was released is delivered, received or put away. Send an order, and it appears here." />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <section className={styles.scroll} aria-label="Objects in progress" tabIndex={0}>
          <Table aria-label="In progress" className={styles.cards} stickyHeader verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Object</Table.Th>
                <Table.Th>Next</Table.Th>
                <Table.Th>Due</Table.Th>
                <Table.Th className={styles.end}>Step</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ facilityCode, job }) => (
                <WorkRow
                  key={`${facilityCode} ${job.kind} ${job.clientId} ${job.objectId}`}
                  facilityCode={facilityCode}
                  job={job}
                />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Section>
  );
}

function WorkRow({ facilityCode, job }: { readonly facilityCode: string; readonly job: Work }) {
  const { clientId, objectId, orderId, kind, next, dueAt, isByHand } = job;
  return (
    <Table.Tr>
      <Table.Td>
        <Id text={objectId} to={wayToWork(job)} length={20} />
        <div className={styles.dim}>
          {orderId === null ? kindWord(kind) : `${kindWord(kind)} of ${orderId}`} · {clientId} · {facilityCode}
        </div>
      </Table.Td>
      <Table.Td>{next === null ? <ToneBadge tone="ended" text="Waits" /> : stepWord(next)}</Table.Td>
      <Table.Td>{isByHand ? <ToneBadge tone="ended" text="Manual" /> : <Time at={dueAt} />}</Table.Td>
      <Table.Td>
        <StepButtons clientId={clientId} objectId={objectId} isOrder={kind === "order"} isIdle={next === null} />
      </Table.Td>
    </Table.Tr>
  );
}

interface StepButtonsProps {
  readonly clientId: string;
  readonly objectId: string;
  readonly isOrder: boolean;
  readonly isIdle: boolean;
}

function StepButtons({ clientId, objectId, isOrder, isIdle }: StepButtonsProps) {
  const queries = useQueryClient();
  const mayStep = useMay("operator");
  const step = useMutation({
    mutationFn: takeStep,
    onError: (error) => notifyFailed(`${objectId} was not stepped`, error),
    onSettled: () => queries.invalidateQueries(),
  });
  if (!mayStep) return null;
  const button = (verb: string, until?: Step["until"]) => (
    <Button
      size="compact-sm"
      variant="default"
      disabled={isIdle || step.isPending}
      aria-label={`${verb} ${objectId}`}
      onClick={() => step.mutate({ clientId, objectId, ...(until === undefined ? {} : { until }) })}
    >
      {verb}
    </Button>
  );
  return (
    <div className={styles.buttons}>
      {button("Step")}
      {isOrder ? button("Despatch", "despatch") : null}
      {button("Finish", "deliver")}
    </div>
  );
}

/** Steps any object, in hand or not, e.g. an order that was packed before the demo began. */
function StepAny({ facilities }: { readonly facilities: readonly SandboxFacility[] }) {
  const clients = useClients();
  const hasNoLimits = useHasNoLimits();
  const run = ({ clientId = "", objectId = "", until = "" }: Values) =>
    takeStep({ clientId, objectId: objectId.trim(), ...(until === "" ? {} : { until: until as "pick" }) });
  return (
    <>
      {(hasNoLimits ? facilities : []).map(({ facilityCode }) => (
        <ActionButton
          key={facilityCode}
          verb={`Step ${facilityCode}`}
          size="xs"
          run={() => takeStep({ facilityCode })}
        />
      ))}
      <ActionButton
        verb="Step an object"
        isPrimary
        size="xs"
        title="Step an object"
        text="The simulated warehouse performs the next step of the object now and reports it to the warehouse port."
        fields={[
          {
            name: "clientId",
            label: "Client",
            kind: "select",
            isRequired: true,
            options: clients.map(({ clientId, name }) => ({ value: clientId, label: `${clientId} · ${name}` })),
          },
          {
            name: "objectId",
            label: "Object",
            isRequired: true,
            placeholder: "WEB-100045",
            description: "An order, a parcel, a purchase order, a return or a work order.",
          },
          { name: "until", label: "How far", kind: "select", options: ends, initial: "" },
        ]}
        run={run}
      />
    </>
  );
}
