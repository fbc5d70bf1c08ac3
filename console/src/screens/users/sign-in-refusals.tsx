import type { components } from "#operator";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";

type Refusals = components["schemas"]["SignInRefusals"];

const reasons: Readonly<Record<Refusals["reason"], string>> = {
  NAME_OR_PASSWORD: "wrong name or password",
  NO_GROUP: "no group of the identity provider opens the console",
  SECOND_FACTOR: "wrong second factor; the password was right",
  SUSPENDED: "the user is suspended",
};

const columns: readonly Column<Refusals>[] = [
  { key: "day", header: "Day (UTC)", width: 120 },
  { key: "userName", header: "User", width: 180, none: "unknown names" },
  { key: "reason", header: "Why", width: 300, cell: ({ reason }) => reasons[reason] },
  { key: "refusals", kind: "count", header: "Refused" },
  { key: "lastOrigin", header: "Last from", width: 150 },
  { key: "lastAt", header: "Last" },
];

const noScope: readonly never[] = [];

/** Rejected sign-ins of the last 90 days, of one user or of all. */
export function SignInRefusals({ userName }: { readonly userName?: string }) {
  const of = userName === undefined ? {} : { userName };
  return (
    <DataList
      id="sign-in-refusals"
      label="Refused sign-ins"
      isPlain
      scope={noScope}
      fixed={of}
      columns={columns}
      fetchPage={pagesOf("/user/refusals")}
      rowId={({ day, userName: name, reason }) => `${day} ${name ?? ""} ${reason}`}
      height={260}
      empty={{ why: "No sign-in was refused in the last 90 days." }}
    />
  );
}
