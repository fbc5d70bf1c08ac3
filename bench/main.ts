import { readdirSync } from "node:fs";

// `npm run bench NAME`: one file for each question; bench/results.md has the answers.
const names = readdirSync(new URL(".", import.meta.url)).flatMap(
  (file) => /^(?!main\b)([a-z-]+)\.ts$/.exec(file)?.[1] ?? [],
);
const [name, ...args] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench ${names.join(" | ")}`);
  process.exit(2);
}
const bench = (await import(`./${name}.ts`)) as { run(args: readonly string[]): Promise<void> };
await bench.run(args);
