import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readCommandLine } from "#/cli/call.ts";
import { commands } from "#/cli/commands.ts";
import { describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import { parseRoleNames } from "#/kernel/config/role-names.ts";
import {
  type Deployment,
  filesIn,
  type KubernetesObject,
  objectsOf,
  ofKind,
  picks,
  readKustomization,
  readObjects,
  type Selector,
  type Service,
} from "./kubernetes-files.ts";
import { faultsOfObject } from "./published-schemas.ts";

interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}
interface Secret extends KubernetesObject {
  readonly stringData: Readonly<Record<string, string>>;
}
interface Autoscaler extends KubernetesObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
    readonly minReplicas: number;
  };
}
interface Selecting extends KubernetesObject {
  readonly spec: { readonly selector?: Selector; readonly podSelector?: Selector; readonly maxUnavailable?: number };
}
interface Ingress extends KubernetesObject {
  readonly spec: {
    readonly tls: readonly { readonly hosts: readonly string[] }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
        }[];
      };
    }[];
  };
}
interface Policy extends KubernetesObject {
  readonly spec: {
    readonly podSelector: Selector;
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string | number }[] }[];
  };
}

const example = "overlays/example";
const base = objectsOf("base");
const all = [...base, ...objectsOf(example)];
const deployments = ofKind<Deployment>(base, "Deployment");
const services = ofKind<Service>(base, "Service");
const [settings] = ofKind<ConfigMap>(base, "ConfigMap");
const [patch] = readObjects(`${example}/settings.yaml`) as ConfigMap[];
const [secret] = readObjects(`${example}/secret.example.yaml`) as Secret[];
const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const labelsOf = ({ spec }: Deployment) => spec.template.metadata.labels;
const podOf = ({ spec }: Deployment) => spec.template.spec;
const containersOf = (deployment: Deployment) => [...podOf(deployment).initContainers, ...podOf(deployment).containers];
const mainOf = (deployment: Deployment) => podOf(deployment).containers[0] ?? assert.fail("no container");

/** The settings of the pods in the example, including their secrets. */
function settingsOf() {
  const mounted = "/run/secrets/crossdock/";
  const values: Readonly<Record<string, string>> = {
    "database-url": secret?.stringData["database-url"] ?? "",
    "master-key": "a".repeat(64),
  };
  const loaded = loadConfig(
    { ...settings?.data, ...patch?.data },
    {
      cwd: "/app",
      readFile(file) {
        const value = file.startsWith(mounted) ? values[file.slice(mounted.length)] : undefined;
        if (value === undefined) throw Object.assign(new Error(file), { code: "ENOENT" });
        return value;
      },
    },
  );
  return loaded.ok ? loaded.value : assert.fail(describeConfigFaults(loaded.fault));
}

test("every object is valid by the schema of Kubernetes, and the validator finds errors", () => {
  for (const object of [...all, patch, secret] as KubernetesObject[]) {
    assert.deepEqual(faultsOfObject(object), [], `${object.kind} ${object.metadata.name}`);
  }
  const [deployment] = deployments as unknown as [Deployment & { spec: object }];
  assert.notDeepEqual(faultsOfObject({ ...deployment, spec: { ...deployment.spec, replica: 2 } } as Deployment), []);
});

test("every file is named by its kustomization, or is the example of the Secret", () => {
  for (const name of ["base", example, "components/monitoring"]) {
    const { resources = [], patches = [] } = readKustomization(name);
    const named = [...resources, ...patches.map(({ path }) => path)];
    const unnamed = filesIn(name).filter((file) => !named.includes(file));
    assert.deepEqual(unnamed, name === example ? ["secret.example.yaml"] : [], name);
  }
});

test("there is a Deployment for HTTP, for the workers and for SFTP, each with a command that the program knows", () => {
  assert.deepEqual(deployments.map(({ metadata }) => metadata.name).sort(), [
    ...["crossdock-api", "crossdock-sftp", "crossdock-worker"],
  ]);
  const roles = deployments.flatMap((deployment) => {
    for (const { args } of containersOf(deployment)) assert.ok(readCommandLine(commands, args).ok, args.join(" "));
    const { args } = mainOf(deployment);
    const parsed = parseRoleNames(args[args.indexOf("--roles") + 1] ?? "");
    return parsed.ok ? parsed.value : assert.fail(parsed.fault);
  });
  assert.deepEqual(roles.sort(), ["api", "auth", "console", "feeds", "sftp", "worker"]);
});

test("every container runs as an unprivileged user, with a read-only root and limits", () => {
  for (const deployment of deployments) {
    assert.deepEqual(podOf(deployment).securityContext, {
      runAsNonRoot: true,
      runAsUser: 10_001,
      runAsGroup: 10_001,
      fsGroup: 10_001,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { name, image, resources, securityContext } of containersOf(deployment)) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      for (const bound of ["requests", "limits"] as const)
        assert.ok(resources[bound].cpu && resources[bound].memory, name);
      assert.equal(image, "crossdock", "the overlay names the registry and the version");
    }
    assert.equal(podOf(deployment).automountServiceAccountToken, false);
    assert.ok(
      base.some(
        ({ kind, metadata }) => kind === "ServiceAccount" && metadata.name === podOf(deployment).serviceAccountName,
      ),
    );
  }
  const [{ name, newTag } = assert.fail("no image")] = readKustomization(example).images ?? [];
  assert.deepEqual([name, newTag], ["crossdock", manifest.version]);
});

test("no pod gets variables of Kubernetes that begin like settings of Crossdock", () => {
  assert.ok(services.some(({ metadata }) => metadata.name.startsWith("crossdock-")));
  for (const deployment of deployments) assert.equal(podOf(deployment).enableServiceLinks, false);
});

test("every container has three probes on the port of HTTP, which ask /readyz only whether to send work", () => {
  for (const deployment of deployments) {
    const { startupProbe, readinessProbe, livenessProbe, ports = [] } = mainOf(deployment);
    assert.deepEqual(startupProbe?.httpGet, { path: "/healthz", port: "http" });
    assert.deepEqual(livenessProbe?.httpGet, { path: "/healthz", port: "http" });
    assert.deepEqual(readinessProbe?.httpGet, { path: "/readyz", port: "http" });
    assert.equal(ports.find(({ name }) => name === "http")?.containerPort, settingsOf().http.port);
    assert.equal(ports.find(({ name }) => name === "sftp")?.containerPort ?? 2222, settingsOf().sftp.port);
  }
});

test("the example's settings are a production configuration", () => {
  const config = settingsOf();
  assert.equal(config.environment, "production");
  assert.equal(config.database.url, secret?.stringData["database-url"]);
  assert.equal(config.secret, "a".repeat(64));
  assert.deepEqual(config.http.trustedProxies.length, 1);
});

test("every ConfigMap and Secret that a pod names is there, and is mounted where the settings look for it", () => {
  const used = new Set(
    Object.entries(settings?.data ?? {}).flatMap(([name, value]) => (name.endsWith("_FILE") ? [value] : [])),
  );
  for (const deployment of deployments) {
    for (const { envFrom, env = [], volumeMounts } of containersOf(deployment)) {
      assert.deepEqual(envFrom, [{ configMapRef: { name: settings?.metadata.name } }]);
      assert.deepEqual(env, []);
      const [{ name, mountPath, readOnly } = assert.fail("no mount")] = volumeMounts;
      assert.equal(readOnly, true);
      const volume = podOf(deployment).volumes.find((volume) => volume.name === name);
      assert.equal(volume?.secret.secretName, secret?.metadata.name);
      const files = Object.keys(secret?.stringData ?? {}).map((key) => `${mountPath}/${key}`);
      assert.deepEqual([...used].sort(), files.sort());
    }
  }
  assert.equal(patch?.metadata.name, settings?.metadata.name);
});

test("every selector picks the pods of its Deployment, and no others", () => {
  for (const deployment of deployments) {
    const { name } = deployment.metadata;
    const picked = (selector: Selector) =>
      deployments.filter((other) => picks(selector, labelsOf(other))).map(({ metadata }) => metadata.name);
    assert.deepEqual(picked(deployment.spec.selector), [name]);
    for (const { labelSelector } of podOf(deployment).topologySpreadConstraints)
      assert.deepEqual(picked(labelSelector), [name]);
    const budgets = ofKind<Selecting>(base, "PodDisruptionBudget").filter(({ metadata }) => metadata.name === name);
    assert.equal(budgets.length, 1, name);
    assert.deepEqual(picked(budgets[0]?.spec.selector ?? {}), [name]);
    assert.equal(budgets[0]?.spec.maxUnavailable, 1);
  }
  for (const { metadata, spec } of services) {
    const targets = deployments.filter((deployment) => picks({ matchLabels: spec.selector }, labelsOf(deployment)));
    assert.deepEqual(
      targets.map((target) => target.metadata.name),
      [metadata.name],
    );
    const ports = mainOf(targets[0] as Deployment).ports?.map(({ name }) => name) ?? [];
    for (const { targetPort } of spec.ports) assert.ok(ports.includes(targetPort), `${metadata.name} ${targetPort}`);
  }
});

test("an update takes no pod away before its successor is ready, and a pod is killed only after drain and stop", () => {
  for (const deployment of deployments) {
    assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
    const { readinessProbe } = mainOf(deployment);
    const { drainSeconds } = settingsOf();
    const seenAfterSeconds = (readinessProbe?.periodSeconds ?? 0) * (readinessProbe?.failureThreshold ?? 0);
    assert.ok(drainSeconds > seenAfterSeconds, deployment.metadata.name);
    assert.ok(podOf(deployment).terminationGracePeriodSeconds >= drainSeconds + 5 + 5);
  }
});

test("every Deployment has two pods at least, by its own word or by its autoscaler's", () => {
  const scalers = ofKind<Autoscaler>(base, "HorizontalPodAutoscaler");
  for (const { metadata, spec } of deployments) {
    const scaler = scalers.find((scaler) => scaler.spec.scaleTargetRef.name === metadata.name);
    // With both, each apply undoes the autoscaler's change.
    assert.equal(spec.replicas === undefined, scaler !== undefined, metadata.name);
    assert.ok((spec.replicas ?? scaler?.spec.minReplicas ?? 0) >= 2, metadata.name);
  }
});

test("the network is closed, and what is opened are ports of the pods", () => {
  const policies = ofKind<Policy>(base, "NetworkPolicy");
  const closed = policies.find(({ metadata }) => metadata.name === "crossdock-nothing-else");
  for (const deployment of deployments) assert.ok(picks(closed?.spec.podSelector ?? {}, labelsOf(deployment)));
  assert.equal(closed?.spec.ingress, undefined);
  for (const { metadata, spec } of policies) {
    const picked = deployments.filter((deployment) => picks(spec.podSelector, labelsOf(deployment)));
    assert.ok(picked.length > 0, metadata.name);
    for (const { port } of (spec.ingress ?? []).flatMap(({ ports }) => ports)) {
      for (const pod of picked)
        assert.ok(
          mainOf(pod).ports?.some(({ name }) => name === port),
          `${metadata.name} ${port}`,
        );
    }
  }
});

test("the Ingress leads the public address to the API nodes, and shows neither metrics nor health", () => {
  const [ingress] = ofKind<Ingress>(all, "Ingress");
  const { tls, rules } = ingress?.spec ?? assert.fail("there is none");
  const [{ host, http } = assert.fail("no rule")] = rules;
  assert.equal(settingsOf().http.baseUrl, `https://${host}`);
  assert.deepEqual(tls[0]?.hosts, [host]);
  assert.equal(ingress?.metadata.annotations?.["nginx.ingress.kubernetes.io/force-ssl-redirect"], "true");
  for (const { path, backend } of http.paths) {
    const service = services.find(({ metadata }) => metadata.name === backend.service.name);
    assert.ok(
      service?.spec.ports.some(({ name }) => name === backend.service.port.name),
      path,
    );
  }
  const paths = http.paths.map(({ path }) => path);
  assert.ok(["/feeds", "/v1", "/console", "/docs", "/.well-known"].every((path) => paths.includes(path)));
  assert.deepEqual(
    paths.filter((path) => /^\/(metrics|healthz|readyz)/.test(path)),
    [],
  );
});
