/**
 * The addresses to which the product may connect when an external party has chosen the target (contract/webhooks.md §2,
 * Where it may connect). The check is pure. It applies to the very address of the connection; a name says nothing about
 * where it leads.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

export interface AddressPolicy {
  /** CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: every address except the metadata of a cloud. */
  readonly allowPrivate: boolean;
  /** CROSSDOCK_PRIVATE_TARGETS: addresses and CIDRs that are allowed nevertheless. */
  readonly privateTargets: readonly string[];
  /**
   * Every refusal of an address is the same sentence: a client that names targets learns nothing about the internal
   * network.
   */
  readonly isTerse?: boolean;
}

const terseRefusal = "it is not reachable from the internet";

/**
 * Where clouds publish the credentials of the machine itself; no setting allows these addresses. 169.254.169.x and
 * 169.254.170.x publish them at AWS, Google, Azure, Oracle, DigitalOcean and others. The list notes the cloud of each
 * single address.
 */
const metadataNetworks: readonly Network[] = [
  "169.254.169.0/24",
  "169.254.170.0/24",
  "169.254.0.23", // Tencent
  "169.254.42.42", // Scaleway
  "100.100.100.200", // Alibaba
  "168.63.129.16", // Azure's WireServer, a public address
  "192.0.0.192", // Oracle's older machines
  "fd00:ec2::/32", // AWS
  "fd20:ce::254", // Google
  "fd00:42::42", // Scaleway
  "fe80::a9fe:a9fe", // OpenStack
].map(parseNetwork);

/** The phrases for the ranges of ipaddr.js; any other range is called reserved. */
const kinds: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "an address of carrier-grade NAT",
  private: "a private address",
  uniqueLocal: "a private address",
  deprecatedSiteLocal: "a private address",
  benchmarking: "an address for benchmarks",
};

const networksByPolicy = new WeakMap<AddressPolicy, readonly Network[]>();

/**
 * Why a connection to the address is refused; undefined when it is allowed.
 *
 * @param address as `dns.lookup` and `socket.remoteAddress` return it; with a zone (`fe80::1%eth0`) or without. Any
 * other spelling (0x7f.1) is refused: a program that reads it differently connects to another address.
 */
export function refusalOfAddress(policy: AddressPolicy, address: string): string | undefined {
  const refusal = findRefusal(policy, address);
  return refusal !== undefined && policy.isTerse ? terseRefusal : refusal;
}

function findRefusal(policy: AddressPolicy, address: string): string | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return "it is not an IP address";
  const inner = unwrap(parsed);
  if ([parsed, ...hiddenIn(parsed)].some((address) => isWithin(metadataNetworks, address))) {
    return "it is a cloud metadata address";
  }
  if (policy.allowPrivate) return undefined;
  let networks = networksByPolicy.get(policy);
  if (networks === undefined) {
    networks = policy.privateTargets.map(parseNetwork);
    networksByPolicy.set(policy, networks);
  }
  // A mapped address is the IPv4 address itself: no IPv6 network contains it.
  const outer = parsed.range() === "ipv4Mapped" ? inner : parsed;
  if (isWithin(networks, outer) || isWithin(networks, inner)) return undefined;
  const kind = kindOf(inner);
  if (kind === undefined) return undefined;
  return inner === parsed ? `it is ${kind}` : `it stands for ${inner.toString()}, ${kind}`;
}

/**
 * Why a request to the URL is refused, as far as the URL shows it: a name is checked once it is resolved.
 *
 * @param url as parsed by `new URL`, which turns 0x7f.1, 2130706433 and full-width digits into 127.0.0.1.
 */
export function refusalOfUrl(policy: AddressPolicy, url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "its scheme is neither http nor https";
  if (url.username !== "" || url.password !== "") return "it holds credentials";
  const host = hostOf(url);
  return isIP(host) === 0 ? undefined : refusalOfAddress(policy, host);
}

/** Whether only this machine reaches a listener on the host. A name other than localhost may lead anywhere. */
export function isLoopback(host: string): boolean {
  const address = parseAddress(host);
  return address === undefined ? host.toLowerCase() === "localhost" : unwrap(address).range() === "loopback";
}

/** The host of the URL in the form that sockets take: IPv6 addresses without their brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function parseAddress(text: string): Address | undefined {
  const [address = "", zone] = text.split("%", 2);
  const version = isIP(address);
  // An IPv4 address has no zones.
  if (version === 0 || (version === 4 && zone !== undefined)) return undefined;
  return parseStrictly(address);
}

/** ipaddr.js reads `::10.0.0.1` as `::ffff:10.0.0.1`; the platform's own parser writes both without dots. */
function parseStrictly(address: string): Address {
  return ipaddr.parse(isIP(address) === 6 ? hostOf(new URL(`http://[${address}]/`)) : address);
}

/** @throws on any input other than an address or a CIDR: the configuration has been validated before. */
function parseNetwork(text: string): Network {
  const [start = "", bits] = text.split("/");
  const address = parseStrictly(start);
  const length = bits === undefined ? (address.kind() === "ipv4" ? 32 : 128) : Number(bits);
  // A mapped network is the IPv4 network: so are the addresses that are compared with it.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= 96) {
    return [address.toIPv4Address(), length - 96];
  }
  return [address, length];
}

const isWithin = (networks: readonly Network[], address: Address): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

const embedded = (address: Address, at: number): Address =>
  ipaddr.fromByteArray(address.toByteArray().slice(at, at + 4));

/**
 * The IPv4 address at which a packet to this address ends: for IPv4-mapped addresses, NAT64's well-known prefix and
 * 6to4. The other ranges that embed an IPv4 address have no legitimate use (IPv4-compatible, Teredo), or only their
 * network knows how they embed it (local-use NAT64).
 */
function unwrap(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  const range = address.range();
  if (range === "ipv4Mapped" || isWellKnownNat64(address)) return embedded(address, 12);
  return range === "6to4" ? embedded(address, 2) : address;
}

const isWellKnownNat64 = (address: ipaddr.IPv6): boolean => address.range() === "rfc6052" && address.parts[2] === 0;

/**
 * Why the address is not public; undefined when it is. IPv4 is public by exclusion, IPv6 within 2000::/3, which is the
 * whole allocated range.
 */
function kindOf(address: Address): string | undefined {
  const range: string = address.range();
  const isPublic =
    range === "unicast" && (address instanceof ipaddr.IPv4 || ((address.parts[0] as number) & 0xe000) === 0x2000);
  return isPublic ? undefined : (kinds[range] ?? "a reserved address");
}

/** Every IPv4 address that a forwarding network could derive from it (RFC 4291, 3056, 4380, 6052, 6145). */
function hiddenIn(address: Address): readonly Address[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const of = (...at: readonly number[]): Address => ipaddr.fromByteArray(at.map((i) => bytes[i] as number));
  switch (address.range()) {
    case "6to4":
      return [of(2, 3, 4, 5)];
    case "teredo":
      // The server, and the client with its bits inverted.
      return [of(4, 5, 6, 7), ipaddr.fromByteArray(bytes.slice(12).map((byte) => byte ^ 0xff))];
    case "rfc6052":
      // After prefixes of 48, 56, 64 and 96 bits; byte 8 is not part of the address.
      return [of(6, 7, 9, 10), of(7, 9, 10, 11), of(9, 10, 11, 12), of(12, 13, 14, 15)];
    default:
      // Mapped, compatible and translated addresses; in all others these bytes have no meaning.
      return bytes.slice(0, 8).every((byte) => byte === 0) ? [of(12, 13, 14, 15)] : [];
  }
}
