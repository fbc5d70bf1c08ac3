import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { type AddressPolicy, hostOf, refusalOfAddress, refusalOfUrl } from "#/kernel/security/address-policy.ts";

const strict: AddressPolicy = { allowPrivate: false, privateTargets: [] };
const sandbox: AddressPolicy = { allowPrivate: true, privateTargets: [] };

const refused = (address: string, policy = strict) => refusalOfAddress(policy, address);

test("addresses of the internet may be connected to", () => {
  const addresses = [
    ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
    ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255"],
    ...["192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
    ...["2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888", "2400:cb00::1", "2001:200::1"],
    ...["::ffff:8.8.8.8", "::ffff:808:808", "64:ff9b::8.8.8.8", "2002:808:808::1"],
  ];
  for (const address of addresses) assert.equal(refused(address), undefined, address);
});

test("each kind of address that is not of the internet is refused, and the refusal names the kind", () => {
  const kinds: Record<string, readonly string[]> = {
    "a loopback address": ["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"],
    "a private address": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "fc00::1", "fdff::1", "fec0::1"],
    "a link-local address": ["169.254.1.1", "fe80::1", "fe80::1%eth0", "fe80::1%br-12.7", "febf::1"],
    "a multicast address": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    "an unspecified address": ["0.0.0.0", "0.1.2.3", "::"],
    "an address of carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
    "a broadcast address": ["255.255.255.255"],
    "an address for benchmarks": ["2001:2::1"],
    "a reserved address": [
      ...["192.0.2.1", "198.51.100.1", "203.0.113.255", "198.18.0.1", "198.19.255.255", "192.0.0.1", "192.88.99.1"],
      ...["240.0.0.1", "254.255.255.255", "2001:db8::1", "3fff::1", "100::1", "2001::1", "2001:10::1", "2001:20::1"],
      ...["5f00::1", "4000::1", "::7f00:1", "::10.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b:1::1"],
      ...["64:ff9b:1:808:8:800::", "64:ff9b:2::1", "1::1", "8000::1", "2001:0:53aa:64c:0:0:f7f7:f7f7"],
    ],
  };
  for (const [kind, addresses] of Object.entries(kinds)) {
    for (const address of addresses) assert.equal(refused(address), `it is ${kind}`, address);
  }
  assert.equal(refused("::ffff:127.0.0.1"), "it stands for 127.0.0.1, a loopback address");
  assert.equal(refused("64:ff9b::a00:1"), "it stands for 10.0.0.1, a private address");
  assert.equal(refused("2002:c0a8:1::1"), "it stands for 192.168.0.1, a private address");
});

test("an address in an unusual spelling is refused", () => {
  const spellings = [
    ...["", "localhost", "0x7f.1", "2130706433", "127.1", "0177.0.0.1", "1.2.3.4.5", "1.2.3", "8.8.8.8%eth0", "[::1]"],
    ...["8.8.8.8 ", "８.8.8.8", "256.1.1.1", "::ffff:1.2.3", "1::2::3", "8.8.8.8/32", "%eth0"],
  ];
  for (const policy of [strict, sandbox]) {
    for (const spelling of spellings) {
      assert.equal(refused(spelling, policy), "it is not an IP address", JSON.stringify(spelling));
    }
  }
});

test("metadata addresses of clouds are refused in every form, even if allowed", () => {
  const everything = { allowPrivate: true, privateTargets: ["0.0.0.0/0", "::/0", "169.254.169.254", "fd00:ec2::254"] };
  const addresses = [
    ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "168.63.129.16", "169.254.0.23"],
    ...["::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::169.254.169.254", "::ffff:0:a9fe:a9fe", "64:ff9b::a9fe:a9fe"],
    ...["64:ff9b:1::a9fe:a9fe", "64:ff9b:1:a9fe:a9:fe00::", "64:ff9b:1:a9:fe:a9fe::", "64:ff9b:1:0:a9:fea9:fe00:0"],
    ...["2002:a9fe:a9fe::1", "2001:0:a9fe:a9fe::", "2001::5601:5601", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"],
    ...["fe80::a9fe:a9fe", "fe80::a9fe:a9fe%eth0", "fd00:42::42", "::ffff:100.100.100.200", "2002:6464:64c8::"],
  ];
  for (const address of addresses) {
    assert.notEqual(isIP(address), 0, address);
    assert.equal(refused(address, everything), "it is a cloud metadata address", address);
    assert.equal(refused(address), "it is a cloud metadata address", address);
  }
});

test("a listed address or range is allowed in each of its forms, and no other address", () => {
  const policy = { allowPrivate: false, privateTargets: ["10.1.0.0/16", "192.168.7.7", "fd12::/16", "::1"] };
  for (const address of ["10.1.255.255", "::ffff:10.1.0.1", "64:ff9b::a01:1", "192.168.7.7", "fd12::9", "::1"]) {
    assert.equal(refused(address, policy), undefined, address);
  }
  for (const address of ["10.2.0.0", "::ffff:10.2.0.1", "::10.1.0.1", "192.168.7.8", "fd13::1", "127.0.0.1"]) {
    assert.notEqual(refused(address, policy), undefined, address);
  }
  const mapped = { allowPrivate: false, privateTargets: ["::ffff:10.0.0.0/104"] };
  assert.equal(refused("10.9.9.9", mapped), undefined);
  const allOfIpv6 = { allowPrivate: false, privateTargets: ["::/0"] };
  assert.equal(refused("fd00::1", allOfIpv6), undefined);
  assert.equal(refused("::ffff:127.0.0.1", allOfIpv6), "it stands for 127.0.0.1, a loopback address");
});

test("a sandbox may connect to its own machine and network", () => {
  for (const address of ["127.0.0.1", "::1", "10.0.0.1", "::ffff:192.168.0.1", "fe80::1%eth0", "172.17.0.1"]) {
    assert.equal(refused(address, sandbox), undefined, address);
  }
});

const privateNetworks: readonly (readonly [string, number])[] = [
  ...[["0.0.0.0", 8] as const, ["10.0.0.0", 8] as const, ["100.64.0.0", 10] as const, ["127.0.0.0", 8] as const],
  ...[
    ["169.254.0.0", 16] as const,
    ["172.16.0.0", 12] as const,
    ["192.0.0.0", 24] as const,
    ["192.0.2.0", 24] as const,
  ],
  ...[["192.168.0.0", 16] as const, ["198.18.0.0", 15] as const, ["198.51.100.0", 24] as const],
  ...[["203.0.113.0", 24] as const, ["224.0.0.0", 4] as const, ["240.0.0.0", 4] as const],
];

const toNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const hex = (number: number) => number.toString(16);

/** Every way to write the IPv4 address within IPv6, generated here without the product's library. */
function formsOf(address: number): readonly string[] {
  const [high, low] = [Math.floor(address / 65_536), address % 65_536];
  const bytes = [high >> 8, high & 255, low >> 8, low & 255] as const;
  const pair = `${hex(high)}:${hex(low)}`;
  const turned = `${hex(high ^ 0xffff)}:${hex(low ^ 0xffff)}`;
  return [
    bytes.join("."),
    ...[`::ffff:${bytes.join(".")}`, `::ffff:${pair}`, `0:0:0:0:0:ffff:${pair}`, `::FFFF:${pair.toUpperCase()}`],
    ...[`::${bytes.join(".")}`, `::${pair}`, `::ffff:0:${pair}`],
    ...[`64:ff9b::${pair}`, `64:ff9b::${bytes.join(".")}`, `64:ff9b:1::${pair}`],
    `64:ff9b:1:${hex(high)}:${hex(bytes[2])}:${hex(bytes[3] * 256)}::`,
    ...[`2002:${pair}::1`, `2002:${pair}:0:0:808:808:1`],
    ...[`2001:0:${pair}::`, `2001:0:808:808:0:0:${turned}`],
  ];
}

test("every private IPv4 address is refused in every form that IPv6 has for it", () => {
  const address = fc.constantFrom(...privateNetworks).chain(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return fc.integer({ min: 0, max: size - 1 }).map((offset) => toNumber(network) + offset);
  });
  fc.assert(
    fc.property(address, (number) => {
      for (const form of formsOf(number)) {
        assert.notEqual(isIP(form), 0, form);
        assert.notEqual(refused(form), undefined, form);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("of all IPv4 addresses exactly those outside the special ranges are allowed", () => {
  const isSpecial = (number: number) =>
    [...privateNetworks, ["192.88.99.0", 24] as const, ["192.175.48.0", 24] as const]
      .concat([["192.31.196.0", 24] as const, ["192.52.193.0", 24] as const])
      .some(([network, bits]) => Math.floor(number / 2 ** (32 - bits)) === toNumber(network) / 2 ** (32 - bits)) ||
    number === toNumber("168.63.129.16");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
      const [plain = "", mapped = ""] = formsOf(number);
      assert.equal(refused(plain) !== undefined, isSpecial(number), plain);
      assert.equal(refused(mapped) !== undefined, isSpecial(number), mapped);
    }),
    { numRuns: 5_000 },
  );
});

test("no IPv6 address outside 2000::/3 is allowed unless it maps to a public IPv4 address", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (parts) => {
      const text = parts.map(hex).join(":");
      if (((parts[0] as number) & 0xe000) !== 0x2000) assert.notEqual(refused(text), undefined, text);
    }),
    { numRuns: 2_000 },
  );
});

test("a URL is refused for its scheme, its credentials and its literal address, and not for a name", () => {
  const refusals: Record<string, string | undefined> = {
    "https://hooks.example.com/a?b#c": undefined,
    "http://localhost/": undefined,
    "https://8.8.8.8:8443/": undefined,
    "https://[2606:4700::1111]/": undefined,
    "ftp://example.com/": "its scheme is neither http nor https",
    "file:///etc/passwd": "its scheme is neither http nor https",
    "https://user@example.com/": "it holds credentials",
    "https://:secret@example.com/": "it holds credentials",
    "http://127.0.0.1/": "it is a loopback address",
    "http://0x7f.1/": "it is a loopback address",
    "http://2130706433/": "it is a loopback address",
    "http://017700000001/": "it is a loopback address",
    "http://１２７.０.０.１/": "it is a loopback address",
    "http://127。0。0。1/": "it is a loopback address",
    "http://127.0.0.1./": "it is a loopback address",
    "http://%31%32%37.0.0.1/": "it is a loopback address",
    "http://[::1]/": "it is a loopback address",
    "http://[::ffff:127.0.0.1]:80/": "it stands for 127.0.0.1, a loopback address",
    "http://169.254.169.254/latest/meta-data": "it is a cloud metadata address",
  };
  for (const [url, refusal] of Object.entries(refusals)) {
    assert.equal(refusalOfUrl(strict, new URL(url)), refusal, url);
  }
  assert.equal(hostOf(new URL("http://[::1]:80/")), "::1");
  assert.equal(hostOf(new URL("http://Example.COM:81/")), "example.com");
});
