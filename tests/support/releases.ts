// The releases, oldest first: releases.json (CONTRIBUTING.md, "A release").
import { readFileSync } from "node:fs";

export interface ReleaseEntry {
  readonly version: string;
  /** Day of the release. */
  readonly date: string;
  /** Its tree is the release. A clone may have no tags. */
  readonly commit: string;
  /** Number of its newest migration: the files up to it never change. */
  readonly migrations: number;
}

const list = new URL("../../releases.json", import.meta.url);

export const releases: readonly ReleaseEntry[] = JSON.parse(readFileSync(list, "utf8"));

export const lastRelease = releases.at(-1) as ReleaseEntry;
