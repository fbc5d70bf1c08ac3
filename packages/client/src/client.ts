import { type Services, serviceNames } from "./generated/services.ts";
import { createRestClient, type RestClient } from "./rest.ts";
import { type ClientOptions, createSender, withoutSlash } from "./sender.ts";

/** A typed client for each service; all share the token. */
type ServiceClients = { readonly [Name in keyof Services]: RestClient<Services[Name]> };

export interface CrossdockClient extends ServiceClients {
  /**
   * Sends any request with the client's token, for operations that the types do not cover. Token, timeouts and retries
   * work as in the typed clients.
   * @param path from the root of the services, beginning with a slash
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/**
 * A client of the REST services. Its methods return `{ data, response }`, or `{ error, response }` with problem
 * details; `unwrap` converts these into the data or a thrown `ProblemError`. The methods throw a `TokenError` when no
 * token is available, and the error of `fetch` when no answer arrives.
 */
export function createClient(options: ClientOptions): CrossdockClient {
  const baseUrl = withoutSlash(options.baseUrl);
  const send = createSender(options);
  const services = Object.fromEntries(
    serviceNames.map((name) => [name, createRestClient(baseUrl, send)]),
  ) as unknown as ServiceClients;
  return {
    ...services,
    async fetch(path, init) {
      // Any other path could name another host, which would receive the token.
      if (!path.startsWith("/")) throw new TypeError(`the path does not begin with a slash: ${path}`);
      return send(new Request(baseUrl + path, init));
    },
  };
}
