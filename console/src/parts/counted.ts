/** "1 order is", "2,120 orders are". */
export const counted = (count: number, singular: string, many: string): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? singular : many}`;
