import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptsGzip } from "#/http/server/compression.ts";

test("gzip is for clients that name it or take any coding, and do not refuse it", () => {
  const accepts = (header: string | undefined) =>
    acceptsGzip({ headers: header === undefined ? {} : { "accept-encoding": header } });
  for (const header of ["gzip", "br, GZIP", "deflate,gzip;q=0.5,br", "*", "gzip;q=1.0, *;q=0"]) {
    assert.equal(accepts(header), true, header);
  }
  for (const header of [undefined, "", "br", "identity", "gzip;q=0", "br, gzip; q=0.000", "x-gzip-like"]) {
    assert.equal(accepts(header), false, String(header));
  }
});
