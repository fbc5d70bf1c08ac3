import { Time } from "./time.tsx";

const moment = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** A sentence of the server, with its times as the user has chosen, or in the zone of the facility. */
export function WithTimes({ text, facility }: { readonly text: string; readonly facility: string }) {
  const [before = "", at, ...rest] = text.split(moment);
  if (at === undefined) return before;
  return (
    <>
      {before}
      <Time at={at} facility={facility} isExact />
      <WithTimes text={rest.join("")} facility={facility} />
    </>
  );
}
