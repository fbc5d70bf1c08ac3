/** Values of the deployment: the answer of `/docs/deployment.json`. */
export interface Deployment {
  /** URLs without a trailing slash. */
  readonly addresses: { readonly feed: string; readonly auth: string; readonly base: string };
  /** Whether the browser has the cookie of a console session, which may have ended. */
  readonly hasSession: boolean;
  /** Files for generators and validators that the process serves, by kind. */
  readonly files: readonly { readonly kind: string; readonly title: string; readonly path: string }[];
}

let reading: Promise<Deployment | undefined> | undefined;

/** Undefined without an answer, as from a development server: the pages are complete without it. */
export function readDeployment(): Promise<Deployment | undefined> {
  reading ??= fetch("/docs/deployment.json")
    .then((response) => (response.ok ? (response.json() as Promise<Deployment>) : undefined))
    .catch(() => undefined);
  return reading;
}
