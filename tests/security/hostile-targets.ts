// Targets that a webhook must not reach: addresses in every spelling that some parser accepts, and URLs that look
// harmless.

/** Loopback, private networks, metadata services of clouds, and other addresses that a sender must not reach. */
const addresses = [
  ...["127.0.0.1", "127.8.9.10", "0.0.0.0", "10.0.0.1", "172.16.31.5", "192.168.1.1", "100.64.0.1", "192.0.2.2"],
  ...["169.254.169.254", "169.254.170.2", "100.100.100.200", "224.0.0.1", "255.255.255.255"],
];

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).replaceAll("．", ".");
const percent = (text: string) => text.replace(/\d/g, (digit) => `%3${digit}`);
const circled = (text: string) => text.replace(/[1-9]/g, (digit) => String.fromCharCode(0x245f + Number(digit)));

/** Spellings that `new URL` or other parsers accept as the IPv4 address. */
function spellingsOf(address: string): readonly string[] {
  const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const octal = (number: number) => `0${number.toString(8)}`;
  const hex = (number: number) => `0x${number.toString(16)}`;
  return [
    ...[address, `${address}.`, fullWidth(address), address.replaceAll(".", "。"), percent(address), circled(address)],
    ...[String(whole), hex(whole), hex(whole).toUpperCase(), octal(whole), fullWidth(String(whole)), `${whole}.`],
    ...[`${a}.${b}.${c * 256 + d}`, `${a}.${(b * 256 + c) * 256 + d}`, `${hex(a)}.${(b * 256 + c) * 256 + d}`],
    ...[[a, b, c, d].map(hex).join("."), [a, b, c, d].map(octal).join("."), `${octal(a)}.${hex(b)}.${c}.${hex(d)}`],
    ...[`${octal(a)}.${b}.${c * 256 + d}`, `0x00000000${whole.toString(16)}`, `${address.replace(".", "%2e")}`],
  ];
}

/** The IPv6 forms that contain the IPv4 address, in brackets. */
function wrappingsOf(address: string): readonly string[] {
  const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
  const hex = (number: number) => number.toString(16);
  const [high, low] = [a * 256 + b, c * 256 + d];
  const pair = `${hex(high)}:${hex(low)}`;
  return [
    ...[`::ffff:${address}`, `::ffff:${pair}`, `0:0:0:0:0:FFFF:${pair}`, `::${address}`, `::${pair}`],
    ...[`::ffff:0:${pair}`, `64:ff9b::${address}`, `64:ff9b::${pair}`, `64:ff9b:1::${pair}`],
    ...[`64:ff9b:1:${hex(high)}:${hex(c)}:${hex(d * 256)}::`, `2002:${pair}::1`, `2001:0:${pair}::`],
    `2001::${hex(high ^ 0xffff)}:${hex(low ^ 0xffff)}`,
  ].map((form) => `[${form}]`);
}

const nativeIpv6 = [
  ...["::1", "0:0:0:0:0:0:0:1", "::0001", "::", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd00::2", "fdff::1"],
  ...["fd00:ec2::254", "fd20:ce::254", "ff02::1", "ff05::2", "100::1", "2001:db8::1", "3fff::1", "2001:2::1"],
  ...["2001:10::1", "2001:20::1", "5f00::1", "4000::1", "64:ff9b:2::1", "fe80::a9fe:a9fe"],
].map((address) => `[${address}]`);

/** Hosts that are addresses, in any spelling. */
export const hostileHosts: readonly string[] = [
  ...addresses.flatMap(spellingsOf),
  ...addresses.flatMap(wrappingsOf),
  ...nativeIpv6,
];

/** Complete URLs that lead to the port on this machine, or to a target that webhooks may not reach. */
export const hostileUrls = (port: number): readonly string[] => [
  // Credentials that some parsers take for the host.
  ...[`http://8.8.8.8@127.0.0.1:${port}/`, `http://8.8.8.8:80@127.0.0.1:${port}/`, `http://user:pw@example.com/`],
  ...[`http://example.com%40127.0.0.1:${port}@127.0.0.1:${port}/`, `http://a@b@127.0.0.1:${port}/`],
  ...[`http://127.0.0.1:${port}\\@example.com/`, `http://127.0.0.1:${port}#@example.com/`],
  ...[`http://127.0.0.1:${port}?@example.com/`, `http://:@127.0.0.1:${port}/`, `http://@127.0.0.1:${port}/`],
  ...[`http://127.0.0.1:${port}/@example.com`, `http://example.com@[::1]:${port}/`],
  // Slashes, blanks and line ends that a parser drops or converts.
  ...[
    `http:\\\\127.0.0.1:${port}\\`,
    `http:127.0.0.1:${port}`,
    `http:/127.0.0.1:${port}/`,
    `http:///127.0.0.1:${port}/`,
  ],
  ...[`http:////127.0.0.1:${port}/`, ` http://127.0.0.1:${port}/ `, `ht\ntp://127.0.0.1:${port}/`],
  ...[`http://127.0.\t0.1:${port}/`, `http://127.0.0.1\r\n:${port}/`, `\u0000http://127.0.0.1:${port}/`],
  ...[`HTTP://127.0.0.1:${port}/`, `http://127.0.0.1:0${port}/`, `http://127.0.0.1%00.example.com:${port}/`],
  ...[`//127.0.0.1:${port}/`, `127.0.0.1:${port}`, `http://`, `http://:${port}/`, `http://[::1%25lo]:${port}/`],
  ...[
    `http://[::1]%00:${port}/`,
    `http://[::1:${port}/`,
    `http://127.0.0.1:${port}:80/`,
    `http://[127.0.0.1]:${port}/`,
  ],
  ...[`http://127\u00ad.0.0.1:${port}/`, `http://1\u200b27.0.0.1:${port}/`, `http://127.0.0.1\u3002:${port}/`],
  // Services on common ports of every machine.
  ...[22, 25, 80, 443, 2375, 3306, 5432, 6379, 9200, 11211].map((usual) => `http://127.0.0.1:${usual}/`),
  ...["http://127.0.0.1/", "https://127.0.0.1/", "https://[::1]/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/"],
  // Other schemes.
  ...["ftp", "file", "gopher", "dict", "ldap", "ws", "wss", "tftp", "sftp", "jar", "netdoc", "unix", "http+unix"].map(
    (scheme) => `${scheme}://127.0.0.1:${port}/`,
  ),
  ...[`file:///etc/passwd`, `data:text/plain,x`, `javascript:fetch("http://127.0.0.1:${port}")`, `about:blank`],
  ...[`blob:http://127.0.0.1:${port}/x`, `view-source:http://127.0.0.1:${port}/`, `url:http://127.0.0.1:${port}/`],
];

/** Names as the DNS server of an attacker or of the internal network resolves them. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  LOCALHOST: ["::1"],
  "a.localhost": ["127.0.0.1"],
  "localhost.localdomain": ["127.0.0.1"],
  "ip6-loopback": ["::1"],
  intranet: ["10.1.2.3"],
  "kubernetes.default.svc": ["10.96.0.1"],
  "host.docker.internal": ["192.168.65.2"],
  "metadata.google.internal": ["169.254.169.254"],
  metadata: ["fd00:ec2::254"],
  "127.0.0.1.nip.example": ["127.0.0.1"],
  "7f000001.example": ["127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "mapped-hex.example": ["::ffff:7f00:1"],
  "compatible.example": ["::127.0.0.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "local-nat64.example": ["64:ff9b:1::7f00:1"],
  "6to4.example": ["2002:7f00:1::1"],
  "teredo.example": ["2001:0:7f00:1::"],
  "zone.example": ["fe80::1%lo"],
  "zoned-loopback.example": ["::1%lo"],
  "unspecified.example": ["0.0.0.0"],
  "unspecified6.example": ["::"],
  "broadcast.example": ["255.255.255.255"],
  "multicast.example": ["224.0.0.251", "ff02::fb"],
  "public-then-private.example": ["8.8.8.8", "127.0.0.1"],
  "private-then-public.example": ["127.0.0.1", "8.8.8.8"],
  "public-with-private-v6.example": ["8.8.8.8", "::1"],
  "public-v6-with-private.example": ["2606:4700::1111", "10.0.0.1"],
  "last-of-many.example": [...Array<string>(20).fill("8.8.8.8"), "192.168.0.1"],
  "no-address.example": ["localhost"],
  "hex-answer.example": ["0x7f.1"],
  "short-answer.example": ["127.1"],
  "number-answer.example": ["2130706433"],
  "empty-answer.example": [""],
  "bracketed-answer.example": ["[::1]"],
};
