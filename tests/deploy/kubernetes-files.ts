// The manifests as values: the resources of the kustomizations, with the patches and names of the example overlay, as
// far as the tests need them.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";

export interface Labels {
  readonly [name: string]: string;
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly resources: Readonly<Record<"requests" | "limits", { readonly cpu: string; readonly memory: string }>>;
  readonly securityContext: object;
}

export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly topologySpreadConstraints: readonly { readonly labelSelector: Selector }[];
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly secret: { readonly secretName: string } }[];
}

export interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: Selector;
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  };
}

export interface Service extends KubernetesObject {
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  };
}

export interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path: string }[];
  readonly images?: readonly { readonly name: string; readonly newTag: string }[];
  readonly namespace?: string;
}

export const folder = fileURLToPath(new URL("../../deploy/kubernetes", import.meta.url));

export function readKustomization(name: string): Kustomization {
  return parse(readFileSync(path.join(folder, name, "kustomization.yaml"), "utf8")) as Kustomization;
}

export function readObjects(file: string): KubernetesObject[] {
  const documents = parseAllDocuments(readFileSync(path.join(folder, file), "utf8"));
  return documents.map((document) => document.toJS() as KubernetesObject);
}

/** Every file of a folder except kustomizations. */
export function filesIn(name: string): string[] {
  return readdirSync(path.join(folder, name)).filter((file) => file !== "kustomization.yaml");
}

/** The resources of a kustomization from its own folder, as objects. */
export function objectsOf(name: string): KubernetesObject[] {
  const { resources = [] } = readKustomization(name);
  return resources.filter((file) => file.endsWith(".yaml")).flatMap((file) => readObjects(`${name}/${file}`));
}

export function ofKind<Kind extends KubernetesObject>(objects: readonly KubernetesObject[], kind: string): Kind[] {
  return objects.filter((object) => object.kind === kind) as Kind[];
}

/** Whether a selector matches these labels. */
export function picks({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => operator === "In" && values.includes(labels[key] ?? ""))
  );
}
