// The packages of the languages as their users have them: built, and installed in a folder outside the checkout.
import assert from "node:assert/strict";
import { type ChildProcessByStdio, execFile, spawn, spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildClient } from "../../scripts/clients/build.ts";
import { atEnd } from "../support/app/at-end.ts";

export interface Installed {
  /** Starts the program of conformance. */
  start(): ChildProcessByStdio<Writable, Readable, null>;
  /** The command that runs a program of one file, such as an example of the guide. */
  commandOf(file: string): Promise<readonly string[]>;
}

interface Language {
  readonly name: string;
  readonly tools: readonly string[];
  /** Builds and installs the package once. */
  install(): Promise<Installed>;
}

const here = fileURLToPath(new URL(".", import.meta.url));

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-languages-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether the machine lacks a program of the language. */
export function isLeftOut(context: TestContext, tools: readonly string[]): boolean {
  const missing = tools.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
  if (missing.length === 0) return false;
  const why = `there is no ${missing.join(", no ")} on the PATH`;
  context.diagnostic(`LEFT OUT: '${context.name}' was not tried, because ${why}`);
  assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${why}`);
  return true;
}

async function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
}

const starter = (command: string, args: readonly string[]) => () =>
  spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });

function once(install: () => Promise<Installed>): () => Promise<Installed> {
  let installed: Promise<Installed> | undefined;
  return () => {
    installed ??= install();
    return installed;
  };
}

async function installTypeScript(): Promise<Installed> {
  const program = path.join(here, "typescript", "conformance.ts");
  return { start: starter(process.execPath, [program]), commandOf: async (file) => [process.execPath, file] };
}

async function installPython(): Promise<Installed> {
  const folder = temporaryFolder();
  const source = buildClient("python", path.join(folder, "source"));
  await run("python3", ["-m", "venv", "venv"], folder);
  const python = path.join(folder, "venv", "bin", "python");
  const offline = { PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  await run(python, ["-m", "pip", "wheel", "--no-deps", "--wheel-dir", "wheels", source], folder, offline);
  const wheel = path.join("wheels", "crossdock-1.0.0-py3-none-any.whl");
  await run(python, ["-m", "pip", "install", wheel], folder, offline);
  return {
    start: starter(python, [path.join(here, "python", "conformance.py")]),
    commandOf: async (file) => [python, file],
  };
}

async function installGo(): Promise<Installed> {
  const folder = temporaryFolder();
  const source = buildClient("go", path.join(folder, "crossdock"));
  const { stdout: unformatted } = await promisify(execFile)("gofmt", ["-l", source]);
  assert.equal(unformatted, "");
  const environment = { GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" };
  const build = async (file: string) => {
    const home = mkdtempSync(path.join(folder, "program-"));
    copyFileSync(file, path.join(home, "main.go"));
    const module = "module shop\n\ngo 1.18\n\nrequire example.com/crossdock v1.0.0\n\n";
    writeFileSync(path.join(home, "go.mod"), `${module}replace example.com/crossdock => ../crossdock\n`);
    await run("go", ["build", "-o", "program"], home, environment);
    return path.join(home, "program");
  };
  const program = await build(path.join(here, "go", "conformance.go"));
  return { start: starter(program, []), commandOf: async (file) => [await build(file)] };
}

/** Half the CPU time: each program lives for seconds only. */
const shortLife = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

async function installJava(): Promise<Installed> {
  const folder = temporaryFolder();
  const source = buildClient("java", path.join(folder, "source"));
  const compile = async (files: readonly string[], into: string, classPath: string) => {
    const options = ["--release", "11", "-Xlint:all,-options", "-Werror", "-encoding", "UTF-8"];
    const list = path.join(folder, `${path.basename(into)}.sources`);
    writeFileSync(list, files.join("\n"));
    const flags = shortLife.map((option) => `-J${option}`);
    await run("javac", [...flags, ...options, "-d", into, "-cp", classPath, `@${list}`], folder);
  };
  const sources = globSync("src/main/java/**/*.java", { cwd: source }).map((file) => path.join(source, file));
  await compile(sources, path.join(folder, "classes"), "");
  const jar = path.join(folder, "crossdock-client-1.0.0.jar");
  await run("jar", ["--create", "--file", jar, "-C", "classes", "."], folder);
  const build = async (file: string) => {
    const into = mkdtempSync(path.join(folder, "program-"));
    await compile([file], into, jar);
    return [...shortLife, "-cp", [jar, into].join(path.delimiter), path.basename(file, ".java")];
  };
  const program = await build(path.join(here, "java", "Conformance.java"));
  return { start: starter("java", program), commandOf: async (file) => ["java", ...(await build(file))] };
}

/** Mono's compiler and runtime: they take what netstandard2.0 and C# 7 have. */
async function installCsharp(): Promise<Installed> {
  const folder = temporaryFolder();
  const source = buildClient("csharp", path.join(folder, "source"));
  const references = ["-r:System.Net.Http", "-r:System.Xml", "-langversion:7.2", "-warnaserror"];
  const sources = globSync("**/*.cs", { cwd: source }).map((file) => path.join(source, file));
  await run("mcs", [...references, "-target:library", "-out:Crossdock.dll", ...sources], folder);
  const build = async (file: string) => {
    const program = `${path.basename(file, ".cs")}.exe`;
    await run("mcs", [...references, "-r:Crossdock.dll", `-out:${program}`, file], folder);
    return path.join(folder, program);
  };
  const program = await build(path.join(here, "csharp", "Conformance.cs"));
  return { start: starter("mono", [program]), commandOf: async (file) => ["mono", await build(file)] };
}

export const languages: readonly Language[] = [
  { name: "TypeScript", tools: [], install: once(installTypeScript) },
  { name: "Python", tools: ["python3"], install: once(installPython) },
  { name: "Go", tools: ["go", "gofmt"], install: once(installGo) },
  { name: "Java", tools: ["java", "javac", "jar"], install: once(installJava) },
  { name: "C#", tools: ["mcs", "mono"], install: once(installCsharp) },
];
