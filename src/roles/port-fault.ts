/** A listener that is asked for, and the variable that says its port. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly variable: string;
  /** What else the variable may be set to, where the port is taken. */
  readonly choices: string;
}

/** Runs what opens a port. @throws where it cannot be opened, with what to do about it. */
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
      throw new Error(`port ${port} may not be opened by this user; set ${variable} to one above 1023`);
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new Error(`${host} is no address of this machine; set CROSSDOCK_HOST to one`);
    }
    throw error;
  }
}

/** A host as people reach it from this machine: the address that means all of them is one of its own. */
export function shownHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "localhost" : host;
}
