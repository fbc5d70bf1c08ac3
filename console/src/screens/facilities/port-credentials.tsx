import { useState } from "react";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { useMay } from "../../session.tsx";
import styles from "../clients/clients.module.css";
import { CredentialTable, RevokeButton } from "../clients/credentials.tsx";

type PortCredential = AnswerOf<"/credential/list">["items"][number];

interface OauthSecret {
  readonly client_id: string;
  readonly client_secret: string;
}

function SecretOnce({ of, oauth }: { readonly of: string; readonly oauth: OauthSecret }) {
  return (
    <Section title={`New credential of ${of}`}>
      <p className={styles.once}>Shown only now. Pass it on over a private channel.</p>
      <pre className={styles.block}>{`client_id      ${oauth.client_id}\nclient_secret  ${oauth.client_secret}`}</pre>
    </Section>
  );
}

const ownerOf = ({ facilityCode, carrierCode }: PortCredential) => facilityCode ?? carrierCode ?? "";

/** Credentials of a facility's warehouse system, which reads tasks and sends reports. */
export function WarehouseCredentials({ facilityCode }: { readonly facilityCode: string }) {
  const [issued, setIssued] = useState<OauthSecret>();
  const listed = useAnswer("/credential/list", { query: { facilityCode, limit: 500 } });
  return (
    <div className={styles.form}>
      <div className={styles.buttons}>
        <ActionButton
          verb="Issue credential"
          role="admin"
          title={`Issue a credential of the warehouse ${facilityCode}`}
          text="It gives access to the warehouse port of this facility. The existing credentials stay valid. The secret is shown once."
          run={async () => {
            const body = { facilityCode };
            setIssued((await api.POST("/credential/issueWarehouse", { body })).oauth);
          }}
        />
      </div>
      {issued ? <SecretOnce of={`the warehouse ${facilityCode}`} oauth={issued} /> : null}
      <Loaded query={listed} what="The credentials" height={160}>
        {({ items }) => (
          <PortCredentialTable items={items} why="No warehouse system has access to the work of this facility." />
        )}
      </Loaded>
    </div>
  );
}

/** Accounts with which carriers report the events of their parcels. */
export function CarrierAccounts() {
  const mayLook = useMay("operator");
  const [issued, setIssued] = useState<{ readonly carrierCode: string; readonly oauth: OauthSecret }>();
  const listed = useAnswer("/credential/list", { query: { limit: 500 } }, { isReady: mayLook });
  if (!mayLook) return null;
  return (
    <Section
      title="Accounts of carriers"
      note="With such a credential, a carrier reports its events to the warehouse port and can do nothing else."
      actions={
        <ActionButton
          verb="Issue carrier credential"
          role="admin"
          title="Issue a carrier's credential"
          text="The secret is shown once."
          fields={[
            {
              name: "carrierCode",
              label: "Carrier's code",
              isRequired: true,
              placeholder: "NORTHWAY",
              description: "The carrier code that orders and parcels use.",
            },
          ]}
          run={async ({ carrierCode = "" }) => {
            const body = { carrierCode: carrierCode.trim() };
            setIssued(await api.POST("/credential/issueCarrier", { body }));
          }}
        />
      }
    >
      {issued ? <SecretOnce of={`the carrier ${issued.carrierCode}`} oauth={issued.oauth} /> : null}
      <Loaded query={listed} what="The credentials" height={160}>
        {({ items }) => (
          <PortCredentialTable
            items={items.filter(({ kind }) => kind === "carrier")}
            why="No carrier has an account, so no carrier can report parcel events."
          />
        )}
      </Loaded>
    </Section>
  );
}

function PortCredentialTable({ items, why }: { readonly items: readonly PortCredential[]; readonly why: string }) {
  return (
    <CredentialTable
      credentials={items}
      of={ownerOf}
      why={why}
      actions={(credential) => <RevokeButton of={ownerOf(credential)} credential={credential} />}
    />
  );
}
