import { useState } from "react";
import type { components } from "#operator";
import { linkTo } from "../../links.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Go } from "../../parts/go.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { UnkeptSecrets } from "../../parts/unkept-secrets.tsx";
import styles from "../clients/clients.module.css";

/** A user with the password that was just made. */
export type MadePassword = components["schemas"]["UserWithPassword"];

interface MadePasswordsProps {
  readonly made: readonly MadePassword[];
  /** Other secrets of the page: the router has one guard against leaving. */
  readonly areOthersKept?: boolean;
}

/** Newly generated passwords, each shown once; the newest comes first. */
export function MadePasswords({ made, areOthersKept = true }: MadePasswordsProps) {
  const [kept, setKept] = useState<ReadonlySet<MadePassword>>(new Set());
  return (
    <>
      {made.map((madePassword) => (
        <PasswordBox
          key={madePassword.password}
          {...madePassword}
          keep={() => setKept((before) => new Set([...before, madePassword]))}
        />
      ))}
      <UnkeptSecrets areKept={areOthersKept && made.every((madePassword) => kept.has(madePassword))} />
    </>
  );
}

function PasswordBox({ user: { userName }, password, keep }: MadePassword & { keep(): void }) {
  const block = [
    `Console    ${window.location.origin}/console`,
    `User name  ${userName}`,
    `Password   ${password}`,
  ].join("\n");
  return (
    <Section title={`Password of ${userName}`}>
      <p className={styles.once}>
        Shown only now. Pass it on over a private channel. The user changes it after signing in, in the menu at the top
        right.
      </p>
      <pre className={styles.block}>{block}</pre>
      <div className={styles.buttons}>
        <CopyText text={block} verb="Copy" onCopied={keep} />
        <Go to={linkTo("user", "", userName)}>Open user {userName}</Go>
      </div>
    </Section>
  );
}
