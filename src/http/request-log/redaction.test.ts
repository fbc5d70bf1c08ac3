import assert from "node:assert/strict";
import { test } from "node:test";
import { redactBody, redactPath, redactQuery } from "#/http/request-log/entry.ts";

test("a parameter with the name of a secret is redacted, however it is written", () => {
  for (const [query, stored] of [
    ["clientId=ACME&api_key=S1&colour=red", "clientId=ACME&api_key=[redacted]&colour=red"],
    ["ap%69_k%65y=S1", "ap%69_k%65y=[redacted]"],
    ["ap%2569_key=S1", "ap%2569_key=[redacted]"],
    ["a=1;api_key=S1;b=2", "a=1;api_key=[redacted];b=2"],
    [
      "jwt=S1&signature=S2&sig=S3&pwd=S4&auth=S5",
      "jwt=[redacted]&signature=[redacted]&sig=[redacted]&pwd=[redacted]&auth=[redacted]",
    ],
    ["back=https://shop.example/?access_token=S1", "back=[redacted]"],
    ["back=https%3A%2F%2Fshop.example%2F%3Fx%3D1%26access%255Ftoken%3DS1", "back=[redacted]"],
    ["password%3DS1", "[redacted]"],
    ["X-API-KEY=%", "X-API-KEY=[redacted]"],
    ["%E0%A4%A=1&text=caf%C3%A9&cursor=e30&sort=-orderedAt", "%E0%A4%A=1&text=caf%C3%A9&cursor=e30&sort=-orderedAt"],
    ["", ""],
  ] as const) {
    assert.equal(redactQuery(query), stored);
  }
  assert.equal(redactPath("/v1/orderService/order/get/A;token=S1"), "/v1/orderService/order/get/A;token=[redacted]");
  assert.equal(redactPath("/v1/orderService/order/get/A%3Btoken"), "/v1/orderService/order/get/A%3Btoken");
});

test("fields with the names of secrets are redacted in a body, at any depth, also where it is cut or broken", () => {
  for (const [body, stored] of [
    ['{"orderId":"A","password":"S1","n":1}', '{"orderId":"A","password":"[redacted]","n":1}'],
    ['{"a":[{"api_key" : {"x":"S1}","y":["S2"]}},{"b":"token"}]}', '{"a":[{"api_key" : "[redacted]"},{"b":"token"}]}'],
    ['{"clientSecret":12345,"b":true}', '{"clientSecret":"[redacted]","b":true}'],
    ['{"p\\u0061ssword":"S\\"1","b":"c"}', '{"p\\u0061ssword":"[redacted]","b":"c"}'],
    ['{"note":"the \\"password\\": stays a text"}', '{"note":"the \\"password\\": stays a text"}'],
    ['{"token":"S1 is cut', '{"token":"[redacted]"'],
    ['{"token":{"a":["S1', '{"token":"[redacted]"'],
    ['["password","S1"]', '["password","S1"]'],
    ["no json", "no json"],
  ] as const) {
    assert.equal(redactBody(body), stored);
  }
});
