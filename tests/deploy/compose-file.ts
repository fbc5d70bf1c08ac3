// compose.yaml as a value: aliases and merges resolved, variables replaced by their defaults.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface Dependency {
  readonly condition: string;
}

export interface HealthCheck {
  readonly test?: readonly string[];
  readonly disable?: boolean;
}

export interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, Dependency>>;
  readonly healthcheck?: HealthCheck;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly profiles?: readonly string[];
  readonly deploy?: {
    readonly resources: {
      readonly limits: { readonly cpus: string; readonly memory: string; readonly pids: number };
    };
  };
}

export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly internal?: boolean;
        readonly ipam?: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] };
      }
    >
  >;
  readonly volumes: Readonly<Record<string, object>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export const composeFile = new URL("../../compose.yaml", import.meta.url);

export function readCompose(): ComposeFile {
  const text = readFileSync(composeFile, "utf8").replace(/\$\{\w+:-([^}]*)\}/g, "$1");
  return parse(text, { merge: true }) as ComposeFile;
}

/** Whether a service runs the image of this project. */
export const isCrossdock = ({ image }: ComposeService): boolean => image.startsWith("crossdock:");

export function networksOf({ networks }: ComposeService): readonly string[] {
  return Array.isArray(networks) ? (networks as string[]) : Object.keys(networks);
}
