/** A requested listener, and the variable that sets its port. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly variable: string;
  /** Other values of the variable, suggested if the port is in use. */
  readonly choices: string;
}

/** Runs a function that opens a port. @throws if the port cannot be opened, with advice for the operator. */
export async function opening<Value>({ host, port, variable, choices }: Listening, open: () => Promise<Value>) {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new Error(
        `port ${port} on ${host} is in use; stop the other program, or set ${variable} to another (${choices})`,
      );
    }
    if (code === "EACCES") {
      throw new Error(`port ${port} cannot be opened by this user; set ${variable} to one above 1023`);
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new Error(`${host} is not an address of this machine; set CROSSDOCK_HOST to one`);
    }
    throw error;
  }
}

/** The host at which this machine reaches the listener. The wildcard address includes localhost. */
export function shownHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "localhost" : host;
}
