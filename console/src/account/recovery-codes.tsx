import { Button, Text } from "@mantine/core";
import { CopyText } from "../parts/copy-text.tsx";
import { saveFile } from "../parts/csv/csv.ts";
import styles from "./account.module.css";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** Called after the codes were copied or saved. */
  onKept(): void;
}

/** Shows the codes once. They must be kept apart from the device with the second factor. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const text = `${codes.join("\n")}\n`;
  const save = () => {
    saveFile("crossdock-recovery-codes.txt", new Blob([text], { type: "text/plain;charset=utf-8" }));
    onKept();
  };
  return (
    <>
      <Text>
        Shown only now. Each code works for one sign-in if you lose the second factor. Keep them apart from the device
        that has it.
      </Text>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyText text={text} verb="Copy" onCopied={onKept} />
        <Button variant="default" size="xs" onClick={save}>
          Download
        </Button>
      </div>
    </>
  );
}
