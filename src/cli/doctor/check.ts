/** One line of `doctor`. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to do, where it is not ok. */
  readonly advice?: string;
}

export function good(name: string, text: string): Check {
  return { name, status: "ok", text };
}

export function doubtful(name: string, text: string, advice: string): Check {
  return { name, status: "warn", text, advice };
}

export function bad(name: string, text: string, advice: string): Check {
  return { name, status: "fail", text, advice };
}
