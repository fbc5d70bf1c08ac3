import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfShape, faultsOfWorld, mergeHeaders } from "#/delivery/webhooks/subscriptions/subscription-checks.ts";

const pointers = (faults: readonly { readonly pointer: string }[]) => faults.map(({ pointer }) => pointer);

test("a URL is http or https, whole, and has no credentials", () => {
  for (const url of [
    "https://example.com",
    "http://example.com:8080/a?b=c",
    "https://[2001:db8::1]/x",
    "HTTPS://EXAMPLE.com",
  ]) {
    assert.deepEqual(faultsOfShape({ url }), [], url);
  }
  const wrong = [
    "example.com",
    "/hooks",
    "ftp://example.com",
    "https://",
    "https://exa mple.com",
    "https://example.com/\n",
  ];
  wrong.push("https:example.com", "https://u@example.com", "https://u:p@example.com", "https://example.com:0/");
  wrong.push("https://example.com:99999", `https://example.com/${"é".repeat(700)}`, " https://example.com");
  for (const url of wrong) assert.deepEqual(pointers(faultsOfShape({ url })), ["#/url"], url);
});

test("a content type is any JSON type or a text, with or without parameters", () => {
  const right = ["application/json", "application/vnd.acme+json", "text/plain", "TEXT/XML; charset=utf-8"];
  right.push("application/json;charset=UTF-8", 'application/json; profile="a b"', "model/gltf+json", "text/json");
  for (const contentType of right) assert.deepEqual(faultsOfShape({ contentType }), [], contentType);
  const wrong = [
    "json",
    "application/xml",
    "application/jsonx",
    "text/",
    "text/*a b",
    "application/json; x",
    "image/png",
  ];
  wrong.push("application/json\r\nX: y", "application/json;", "text/plain, text/html");
  for (const contentType of wrong) {
    assert.deepEqual(pointers(faultsOfShape({ contentType })), ["#/contentType"], contentType);
  }
});

test("mail addresses are bare, one each, and none twice", () => {
  assert.deepEqual(faultsOfShape({ emailList: ["ops@example.com", "a.b+c@example.co.uk"] }), []);
  const wrong = ["ops", "ops@", "Ops <ops@example.com>", "a@b.c,d@e.f", "a@b.c\r\nBcc: x@y.z", " a@b.c", "a@b\u0007.c"];
  assert.deepEqual(
    pointers(faultsOfShape({ emailList: wrong })),
    wrong.map((_, i) => `#/emailList/${i}`),
  );
  assert.deepEqual(pointers(faultsOfShape({ emailList: ["a@b.c", "d@e.f", "a@b.c"] })), ["#/emailList/2"]);
});

test("custom headers set nothing that belongs to the connection, the body or the signature", () => {
  assert.deepEqual(faultsOfShape({ customHeaders: { Authorization: "Bearer x", "X-Key": "", x_1: "a\tb" } }), []);
  const names = ["Host", "connection", "Keep-Alive", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Expect"];
  names.push(
    "Proxy-Authorization",
    "proxy-status",
    "Content-Type",
    "content-length",
    "Webhook-Id",
    "crossdock-sequence",
  );
  names.push("a b", "a:b", "é", "", "x".repeat(65));
  for (const name of names) {
    assert.deepEqual(pointers(faultsOfShape({ customHeaders: { [name]: "x" } })), [`#/customHeaders/${name}`], name);
  }
});

test("a value of a header has no line break, nothing unprintable, and a bounded size", () => {
  for (const value of ["a\r\nb", "a\nb", "é", "\u0001", " a", "a ", "x".repeat(2049)]) {
    assert.deepEqual(pointers(faultsOfShape({ customHeaders: { "X-A": value } })), ["#/customHeaders/X-A"], value);
  }
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, "v"]));
  assert.deepEqual(pointers(faultsOfShape({ customHeaders: many })), ["#/customHeaders"]);
  const large = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`X-${i}`, "v".repeat(2_000)]));
  assert.deepEqual(pointers(faultsOfShape({ customHeaders: large })), ["#/customHeaders"]);
  assert.deepEqual(pointers(faultsOfShape({ customHeaders: { "X-A": "1", "x-a": "2" } })), ["#/customHeaders/x-a"]);
});

test("headers are merged by name in any case: null removes, *** keeps", () => {
  const before = { "X-Key": "old", "X-Other": "stays" };
  assert.deepEqual(mergeHeaders(before, {}).headers, before);
  assert.deepEqual(mergeHeaders(before, { "X-Key": "new" }).headers, { "X-Key": "new", "X-Other": "stays" });
  assert.deepEqual(mergeHeaders(before, { "x-key": "***" }).headers, { "x-key": "old", "X-Other": "stays" });
  assert.deepEqual(mergeHeaders(before, { "x-key": null, "X-None": null }).headers, { "X-Other": "stays" });
  assert.deepEqual(mergeHeaders(before, null), { headers: {}, faults: [] });
  assert.deepEqual(pointers(mergeHeaders(before, { "X-New": "***" }).faults), ["#/customHeaders/X-New"]);
  const many = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`X-${i}`, "v"]));
  assert.deepEqual(pointers(mergeHeaders(before, many).faults), ["#/customHeaders"]);
});

test("topic, facility and address are required, and all missing ones are named at once", () => {
  const world = { facilities: ["DC1"], allowsPlainHttp: false, refusalOfUrl: () => undefined };
  for (const topicName of ["*", "order:*", "order:despatched", "webhook:test"]) {
    assert.deepEqual(faultsOfWorld({ topicName, facilityCode: "*", url: "https://example.com" }, world), []);
  }
  const all = faultsOfWorld(
    { topicName: "order:despached", facilityCode: "DC9", url: "http://10.0.0.1" },
    {
      ...world,
      refusalOfUrl: ({ hostname }) => (hostname === "10.0.0.1" ? "it is private" : undefined),
    },
  );
  assert.deepEqual(pointers(all), ["#/topicName", "#/facilityCode", "#/url", "#/url"]);
  assert.match(all[0]?.message ?? "", /did you mean order:despatched\?/);
  assert.match(all[1]?.message ?? "", /facility\/list lists them|did you mean DC1\?/);
  assert.match(all[3]?.message ?? "", /10\.0\.0\.1.*it is private/);
  const [group, nothing] = ["orders:*", "x"].map((topicName) => faultsOfWorld({ topicName }, world)[0]?.message);
  assert.match(group ?? "", /did you mean order:\*\?/);
  assert.match(nothing ?? "", /webhook\/topics lists them/);
  const several = { topicName: "order:*", additionalTopicNames: ["parcel:*", "parcel:lod", "task:*"] };
  assert.deepEqual(pointers(faultsOfWorld(several, world)), ["#/additionalTopicNames/1", "#/additionalTopicNames/2"]);
  assert.match(
    faultsOfWorld(several, world)[0]?.message ?? "",
    /'parcel:lod' is not a topic.*did you mean parcel:load\?/,
  );
  assert.deepEqual(faultsOfWorld({ url: "http://example.com" }, { ...world, allowsPlainHttp: true }), []);
});
