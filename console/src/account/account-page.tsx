import { Button, Modal, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "#operator";
import { api } from "../api.ts";
import { useAnswer } from "../data.ts";
import { ActionButton } from "../parts/actions/action-button.tsx";
import { notifyDone } from "../parts/actions/notify.ts";
import { Loaded } from "../parts/loading/loaded.tsx";
import { Screen, Section } from "../parts/page/screen.tsx";
import { Time } from "../parts/time.tsx";
import { UnkeptSecrets } from "../parts/unkept-secrets.tsx";
import { useSession } from "../session.tsx";
import styles from "./account.module.css";
import { EnrolApp, type Enrolled } from "./enrol-app.tsx";
import { EnrolPasskey } from "./enrol-passkey.tsx";
import { canPasskeys } from "./passkeys.ts";
import { ProveForm } from "./prove-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Own = components["schemas"]["OwnFactors"];
type Factor = components["schemas"]["Factor"];

/** The user's second factors. */
export function AccountPage() {
  const { identityProvider } = useSession();
  const factors = useAnswer("/factor/list", {});
  if (identityProvider !== null) {
    return (
      <Screen title="Second factor">
        <Text>You sign in through the identity provider. It asks for the second factor.</Text>
      </Screen>
    );
  }
  return (
    <Screen title="Second factor" lead="A second proof of identity at each sign-in, in addition to the password.">
      <Loaded query={factors} what="Your factors" height={480}>
        {(loaded) => <Parts factors={loaded} />}
      </Loaded>
    </Screen>
  );
}

function Parts({ factors }: { readonly factors: Own }) {
  const { items, recoveryCodesLeft, isRequired, isProofRecent, passkeyOrigin } = factors;
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isKept, setKept] = useState(true);
  const show = (made: readonly string[] | null) => {
    if (made === null) return;
    setCodes(made);
    setKept(false);
  };
  const enrolled = async (enrolment: Enrolled) => {
    notifyDone(`${enrolment.factor.name} was enrolled.`);
    show(enrolment.recoveryCodes);
    await queries.invalidateQueries({ queryKey: ["/factor/list"] });
  };
  const app = items.find(({ kind }) => kind === "TOTP");
  const passkeys = items.filter(({ kind }) => kind === "PASSKEY");
  const whyNot = isProofRecent ? undefined : "Confirm your identity first.";
  const isLast = isRequired && items.length === 1;
  return (
    <>
      {isProofRecent ? null : <ProveAgain />}
      {codes ? (
        <Section title="Your recovery codes">
          <div className={styles.part}>
            <RecoveryCodes codes={codes} onKept={() => setKept(true)} />
          </div>
        </Section>
      ) : null}
      <UnkeptSecrets areKept={isKept} />
      <Section title="Authenticator app">
        <div className={styles.part}>
          {app ? <FactorLine factor={app} whyNot={whyNot} isLast={isLast} /> : <Text>None set up.</Text>}
          <Enrol verb={app ? "Set up another app" : "Set up an app"} whyNot={whyNot} title="Authenticator app">
            {(close) => <EnrolApp onEnrolled={(enrolment) => void enrolled(enrolment).then(close)} />}
          </Enrol>
        </div>
      </Section>
      <Section title="Passkeys">
        <div className={styles.part}>
          {passkeys.length === 0 ? <Text>None set up.</Text> : null}
          {passkeys.map((factor) => (
            <FactorLine key={factor.factorId} factor={factor} whyNot={whyNot} isLast={isLast} />
          ))}
          {canPasskeys(passkeyOrigin) ? (
            <Enrol verb="Add a passkey" whyNot={whyNot} title="New passkey">
              {(close) => <EnrolPasskey onEnrolled={(enrolment) => void enrolled(enrolment).then(close)} />}
            </Enrol>
          ) : (
            <Text className={styles.dimmed ?? ""}>{whereText(passkeyOrigin)}</Text>
          )}
        </div>
      </Section>
      {items.length === 0 ? null : (
        <Section title="Recovery codes">
          <div className={styles.part}>
            <Text>{recoveryCodesLeft} of 10 are left.</Text>
            <ActionButton
              verb="Create new recovery codes"
              role="viewer"
              whyNot={whyNot}
              title="Create new recovery codes"
              text="The old codes stop working at once."
              run={async () => show((await api.POST("/factor/renewRecoveryCodes")).recoveryCodes)}
              done="New recovery codes were created. They are shown once."
              refresh={[["/factor/list"]]}
            />
          </div>
        </Section>
      )}
    </>
  );
}

const whereText = (origin: string | null) =>
  origin === null
    ? "Passkeys need a public https address. An administrator can set CROSSDOCK_BASE_URL."
    : `Passkeys of this console work at ${origin} only, in a browser that supports them.`;

/** Changes require a recent proof of identity. */
function ProveAgain() {
  const queries = useQueryClient();
  const step = useAnswer("/session/step", {});
  return (
    <Section title="Confirm your identity" note="Changes need a proof of identity that is at most ten minutes old.">
      <div className={styles.part}>
        <Loaded query={step} what="Your factors" height={120}>
          {({ methods, passkeyOrigin }) => (
            <ProveForm
              methods={methods}
              passkeyOrigin={passkeyOrigin}
              verb="Prove"
              onProved={() => queries.invalidateQueries({ queryKey: ["/factor/list"] })}
            />
          )}
        </Loaded>
      </div>
    </Section>
  );
}

interface FactorLineProps {
  readonly factor: Factor;
  readonly whyNot: string | undefined;
  /** The user's only factor, while the role requires one. */
  readonly isLast: boolean;
}

function FactorLine({ factor, whyNot, isLast }: FactorLineProps) {
  const { factorId, name, createdAt, lastUsedAt } = factor;
  const params = { path: { factorId } };
  return (
    <div className={styles.factor}>
      <div>
        <div className={styles.name}>{name}</div>
        <div className={styles.dimmed}>
          enrolled <Time at={createdAt} />,{" "}
          {lastUsedAt === null ? (
            "not used yet"
          ) : (
            <>
              last used <Time at={lastUsedAt} />
            </>
          )}
        </div>
      </div>
      <div className={styles.buttons}>
        <ActionButton
          verb="Rename"
          label={`Rename ${name}`}
          role="viewer"
          size="xs"
          whyNot={whyNot}
          title={`Rename ${name}`}
          text="Only you see the name."
          fields={[{ name: "name", label: "Name", isRequired: true, initial: name }]}
          run={({ name: next = "" }) => api.POST("/factor/rename/{factorId}", { params, body: { name: next } })}
          done="The factor was renamed."
          refresh={[["/factor/list"]]}
        />
        <ActionButton
          verb="Remove"
          label={`Remove ${name}`}
          role="viewer"
          size="xs"
          isDestructive
          whyNot={isLast ? "Your role requires a second factor. Enrol another one first." : whyNot}
          title={`Remove ${name}`}
          text="It can no longer be used to sign in. Removing the last factor also removes the recovery codes."
          run={() => api.DELETE("/factor/delete/{factorId}", { params })}
          done={`${name} was removed.`}
          refresh={[["/factor/list"]]}
        />
      </div>
    </div>
  );
}

interface EnrolProps {
  readonly verb: string;
  readonly title: string;
  readonly whyNot: string | undefined;
  children(close: () => void): React.ReactNode;
}

function Enrol({ verb, title, whyNot, children }: EnrolProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button size="xs" variant="default" disabled={whyNot !== undefined} title={whyNot} onClick={() => setOpen(true)}>
        {verb}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        {isOpen ? children(close) : null}
      </Modal>
    </>
  );
}
