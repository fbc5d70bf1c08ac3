import { Button, FileButton } from "@mantine/core";

/** Chooses a CSV file of this machine and reads it. */
export function CsvFileButton({ take }: { take(text: string): void }) {
  return (
    <FileButton
      accept=".csv,.txt,text/csv,text/plain"
      onChange={async (file) => {
        if (file) take(await file.text());
      }}
    >
      {(props) => (
        <Button variant="default" size="xs" {...props}>
          Choose a file
        </Button>
      )}
    </FileButton>
  );
}
