import type { components } from "#operator";
import { api } from "../../../api.ts";
import { useAnswer } from "../../../data.ts";
import { enumerations } from "../../../enumerations.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import type { Field, Values } from "../../../parts/fields.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { Section } from "../../../parts/page/screen.tsx";
import { ToneBadge } from "../../../parts/state-badge.tsx";
import { Age } from "../../../parts/time.tsx";
import styles from "../../clients/clients.module.css";

type Source = components["schemas"]["LabelSource"];
type Definition = Source["definition"];

const columns: readonly Column<Source>[] = [
  { key: "sourceCode", header: "Label source", width: 150 },
  { key: "name", header: "Name", width: 200, wraps: true },
  { key: "kind", header: "Kind", width: 110 },
  {
    key: "health",
    header: "Health",
    width: 130,
    cell: (source) => <ToneBadge {...healthOf(source)} />,
    text: (source) => healthOf(source).text,
  },
  { key: "pending", kind: "count", header: "Waiting", of: ({ health }) => health.pending },
  { key: "bought", kind: "count", header: "Bought", of: ({ health }) => health.bought },
  { key: "failed", kind: "count", header: "Failed", of: ({ health }) => health.failed },
  {
    key: "oldest",
    header: "Waits for",
    width: 110,
    cell: ({ health }) => (health.oldestPendingAt === null ? null : <Age since={health.oldestPendingAt} />),
    text: ({ health }) => health.oldestPendingAt ?? "",
  },
  { key: "lastError", header: "Last error", width: 260, wraps: true, of: ({ health }) => health.lastError ?? "" },
  { key: "actions", header: "Actions", width: 250, cell: (source) => <Actions source={source} />, text: () => "" },
];

function healthOf({ isActive, health }: Source) {
  if (!isActive) return { tone: "waiting", text: "Paused" } as const;
  if (health.failed > 0 && health.bought === 0) return { tone: "failed", text: "Failing" } as const;
  if (health.failed > 0) return { tone: "waiting", text: "Some failed" } as const;
  return health.bought > 0
    ? ({ tone: "done", text: "Works" } as const)
    : ({ tone: "ended", text: "Not used" } as const);
}

/** `authorization: Bearer …`, a header on each line. */
function headersOf(lines: string | undefined): Record<string, string> | undefined {
  const headers = (lines ?? "").split("\n").flatMap((line) => {
    const at = line.indexOf(":");
    return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const] : [];
  });
  return headers.length === 0 ? undefined : Object.fromEntries(headers);
}

const definitionOf = (text: string | undefined) => JSON.parse(text?.trim() || "{}") as Definition;

const ofSource = (source?: Source): readonly Field[] => [
  { name: "name", label: "Name", isRequired: true, initial: source?.name ?? "" },
  {
    name: "url",
    label: "URL",
    isRequired: true,
    placeholder: "https://api.easypost.com/v2",
    initial: source?.url ?? "",
  },
  {
    name: "headers",
    label: "Headers with secrets",
    kind: "lines",
    placeholder: "authorization: Basic …",
    description: source
      ? `Stored: ${source.headerNames.join(", ") || "none"}. Empty: they stay. They are encrypted and never shown.`
      : "One on each line. They are encrypted and never shown.",
  },
  {
    name: "definition",
    label: "Definition (JSON)",
    kind: "lines",
    description: "Time-out, bounds, settings by service, and for HTTP the calls.",
    initial: JSON.stringify(source?.definition ?? { services: {} }, null, 2),
  },
];

/** Services that sell labels of carriers, with their health. */
export function LabelSources() {
  const listed = useAnswer("/labelSource/list", {});
  return (
    <Section
      title="Label sources"
      note="Services of the carrier data name them in labelSources, in the order in which they are tried. Figures are those of the last 24 hours."
      actions={<AddSource />}
    >
      <Loaded query={listed} what="The label sources" height={240}>
        {({ items }) => (
          <StaticList
            id="label-sources"
            label="Label sources"
            columns={columns}
            rows={items}
            rowId={({ sourceCode }) => sourceCode}
            empty={{ why: "No label source is set up: the platform prints every label." }}
          />
        )}
      </Loaded>
    </Section>
  );
}

function AddSource() {
  return (
    <ActionButton
      verb="Add label source"
      role="admin"
      isPrimary
      title="Add label source"
      text="Nothing is bought until a service of the carrier data names it."
      fields={[
        { name: "sourceCode", label: "Code", isRequired: true, placeholder: "EASYPOST-EU" },
        {
          name: "kind",
          label: "Kind",
          kind: "select",
          isRequired: true,
          initial: "HTTP",
          options: enumerations.LabelSourceKind.map((value) => ({ value, label: value })),
        },
        ...ofSource(),
      ]}
      run={async ({ sourceCode = "", kind = "HTTP", name = "", url = "", headers, definition }: Values) => {
        const secrets = headersOf(headers);
        const body = {
          sourceCode: sourceCode.trim(),
          kind: kind as Source["kind"],
          name,
          url: url.trim(),
          definition: definitionOf(definition),
        };
        await api.POST("/labelSource/create", { body: secrets === undefined ? body : { ...body, headers: secrets } });
      }}
      done="The label source was added."
    />
  );
}

function Actions({ source }: { readonly source: Source }) {
  const { sourceCode, isActive, version } = source;
  const params = { path: { sourceCode } };
  const patch = (body: components["schemas"]["LabelSourcePatch"]) =>
    api.PATCH("/labelSource/patch/{sourceCode}", {
      params: { ...params, header: { "if-match": `"${version}"` } },
      body,
    });
  return (
    <div className={styles.buttons}>
      <ActionButton
        verb="Test"
        label={`Test ${sourceCode}`}
        role="admin"
        size="xs"
        run={async () => {
          const { isGood, detail } = await api.POST("/labelSource/test/{sourceCode}", { params, body: {} });
          if (!isGood) throw new Error(`${sourceCode} refused the test: ${detail}.`);
          return detail;
        }}
        done={(detail) => `${sourceCode} answers: ${detail}.`}
      />
      <ActionButton
        verb="Change"
        label={`Change ${sourceCode}`}
        role="admin"
        size="xs"
        title={`Change ${sourceCode}`}
        fields={ofSource(source)}
        run={({ name = "", url = "", headers, definition }) => {
          const secrets = headersOf(headers);
          const body = { name, url: url.trim(), definition: definitionOf(definition) };
          return patch(secrets === undefined ? body : { ...body, headers: secrets });
        }}
        done={`${sourceCode} was changed.`}
      />
      <ActionButton
        verb={isActive ? "Pause" : "Resume"}
        label={`${isActive ? "Pause" : "Resume"} ${sourceCode}`}
        role="admin"
        size="xs"
        title={isActive ? `Pause ${sourceCode}` : `Resume ${sourceCode}`}
        text={isActive ? "Its purchases wait until it is resumed." : "Its purchases that wait are due now."}
        run={() => patch({ isActive: !isActive })}
      />
    </div>
  );
}
