// Parses `/metrics` as strictly as Prometheus: a format that it rejects fails the test.
import assert from "node:assert/strict";

export interface Sample {
  /** With `_bucket`, `_sum` or `_count` of a histogram. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly help: string;
  readonly kind: string;
  readonly samples: Sample[];
}

export type Scrape = ReadonlyMap<string, Family>;

const samplePattern = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/g;

export async function scrape(url: string): Promise<Scrape> {
  const answer = await fetch(`${url}/metrics`);
  assert.equal(answer.status, 200);
  return readExposition(await answer.text());
}

export function readExposition(text: string): Scrape {
  assert.ok(text.endsWith("\n"), "the last line is ended");
  const families = new Map<string, { help: string; kind: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current: { name: string; samples: Sample[] } | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment) {
      const [, what, name, content] = comment as unknown as [string, string, string, string];
      const family = families.get(name) ?? { help: "", kind: "", samples: [] };
      if (what === "HELP") assert.ok(!families.has(name), `${name} is described twice`);
      family[what === "HELP" ? "help" : "kind"] = content;
      families.set(name, family);
      current = { name, samples: family.samples };
      continue;
    }
    const [, name, labelText = "", value] = samplePattern.exec(line) ?? [];
    assert.ok(name !== undefined && value !== undefined && current, `no sample: ${line}`);
    assert.match(name, new RegExp(`^${current.name}(?:_bucket|_sum|_count)?$`));
    const labels = Object.fromEntries([...labelText.matchAll(labelPattern)].map(([, key, text]) => [key, text]));
    const series = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    assert.ok(!seen.has(series), `present twice: ${line}`);
    seen.add(series);
    current.samples.push({ name, labels, value: Number(value.replace("Inf", "Infinity")) });
  }
  return families;
}

/** The sum of the samples with these labels; 0 if there is none. @param name of a sample */
export function sumOf(from: Scrape, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const family = from.get(name.replace(/_(?:bucket|sum|count)$/, "")) ?? from.get(name);
  return (family?.samples ?? [])
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
