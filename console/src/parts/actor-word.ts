const words: Readonly<Record<string, (name: string) => string>> = {
  user: (name) => name,
  cli: (name) => `${name}, command line`,
  sftp: (name) => `${name}, SFTP`,
  client: (name) => `client ${name}`,
  warehouse: (name) => `warehouse ${name}`,
  carrier: (name) => `carrier ${name}`,
};

/** Who did it, in words: `anna` for `user:anna`, `warehouse DC1` for `warehouse:DC1`, `Crossdock` for its worker. */
export function actorWord(actor: string): string {
  if (actor === "worker") return "Crossdock";
  const at = actor.indexOf(":");
  return words[actor.slice(0, at)]?.(actor.slice(at + 1)) ?? actor;
}
