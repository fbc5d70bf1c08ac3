import { Modal, Radio, Stack, Text } from "@mantine/core";
import { exactTime, useNow } from "../parts/time.tsx";
import { chosenZone, machineZone, setTimeDisplay, type TimeDisplay } from "../time-display.ts";
import { useTimeDisplay } from "../use-time-display.ts";

interface TimesDialogProps {
  readonly isOpen: boolean;
  close(): void;
}

/** The user's time zone and date format, which the browser stores. */
export function TimesDialog({ isOpen, close }: TimesDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Times and dates">
      {isOpen ? <Choices /> : null}
    </Modal>
  );
}

function Choices() {
  const display = useTimeDisplay();
  const now = new Date(useNow()).toISOString();
  return (
    <Stack>
      <Radio.Group
        label="Time zone"
        value={display.zone}
        onChange={(zone) => setTimeDisplay({ zone: zone as TimeDisplay["zone"] })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="facility" label="Of the facility" />
          <Radio value="machine" label={`Of this machine (${machineZone()})`} />
          <Radio value="UTC" label="UTC" />
        </Stack>
      </Radio.Group>
      <Radio.Group
        label="Dates"
        value={display.dates}
        onChange={(dates) => setTimeDisplay({ dates: dates as TimeDisplay["dates"] })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="day" label="20 Nov 2026, 15:40" />
          <Radio value="month" label="Nov 20, 2026, 03:40 PM" />
          <Radio value="year" label="2026-11-20 15:40" />
        </Stack>
      </Radio.Group>
      <Text size="sm">Now: {exactTime(now, chosenZone(display) ?? machineZone())}</Text>
      <Text size="sm" c="dimmed">
        This browser remembers both. Cut-off times, holidays and the stock of a day stay in the time zone of the
        facility.
      </Text>
    </Stack>
  );
}
