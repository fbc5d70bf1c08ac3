import { enumerations } from "../../enumerations.ts";

const dayWords = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** As the setting names them: `MON`. */
export const dayCodes: readonly string[] = enumerations.Weekday;

export const dayWord = (code: string): string => dayWords[dayCodes.indexOf(code)] ?? code;

/** The days of `MON-FRI` or `MON,WED`, in the order of the week; a span may cross its end. */
export function daysOf(text: string): readonly string[] {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [from = "", to = from] = part.trim().split("-");
    const [first, last] = [dayCodes.indexOf(from), dayCodes.indexOf(to)];
    if (first < 0 || last < 0) continue;
    for (let day = first; ; day = (day + 1) % 7) {
      found.add(day);
      if (day === last) break;
    }
  }
  return dayCodes.filter((_code, day) => found.has(day));
}

/** `MON-FRI` as "Monday to Friday", `MON,WED` as "Monday, Wednesday"; a span has at least three days. */
export function daysText(text: string): string {
  const spans: string[][] = [];
  for (const code of daysOf(text)) {
    const open = spans.at(-1);
    if (open && dayCodes.indexOf(code) === dayCodes.indexOf(open.at(-1) ?? "") + 1) open.push(code);
    else spans.push([code]);
  }
  return spans
    .flatMap((span) =>
      span.length < 3 ? span.map(dayWord) : `${dayWord(span[0] ?? "")} to ${dayWord(span.at(-1) ?? "")}`,
    )
    .join(", ");
}
