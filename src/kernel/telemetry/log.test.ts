import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLogger, type LogOptions } from "#/kernel/telemetry/log.ts";

function collect(options: Omit<LogOptions, "destination">) {
  const lines: string[] = [];
  const logger = createLogger({ ...options, destination: { write: (line) => void lines.push(line) } });
  return { lines, logger };
}

describe("the log", () => {
  test("a JSON line has its level as a word, the time, the fields and the message", () => {
    const { lines, logger } = collect({ level: "info", format: "json" });
    logger.info({ clientId: "ACME", durationMs: 12, token: "0198" }, "feed accepted");
    const line = JSON.parse(lines.join("")) as Record<string, unknown>;
    assert.match(String(line.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { time: _, ...rest } = line;
    assert.deepEqual(rest, { level: "info", clientId: "ACME", durationMs: 12, token: "0198", msg: "feed accepted" });
  });

  test("lines below the level are left out", () => {
    const { lines, logger } = collect({ level: "warn", format: "json" });
    logger.info("unseen");
    logger.warn("seen");
    assert.equal(lines.length, 1);
    const silent = collect({ level: "silent", format: "pretty" });
    silent.logger.fatal("unseen");
    assert.deepEqual(silent.lines, []);
  });

  test("pretty lines are for people, and written at once", () => {
    const { lines, logger } = collect({ level: "info", format: "pretty", isColoured: false });
    logger.info({ clientId: "ACME" }, "feed accepted");
    assert.match(lines.join(""), /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: feed accepted \{"clientId":"ACME"\}\n$/);
  });

  for (const format of ["json", "pretty"] as const) {
    test(`secrets are redacted at any depth and in any spelling of their name (${format})`, () => {
      const { lines, logger } = collect({ level: "info", format, isColoured: false });
      logger.info({ authorization: "Bearer s3cret", cookie: "s3cret", password: "s3cret", secret: "s3cret" }, "flat");
      logger.info({ req: { headers: { "X-API-Key": "s3cret", Authorization: "s3cret", "Set-Cookie": ["s3cret"] } } });
      logger.info({ client: [{ credentials: { client_secret: "s3cret", accessToken: "s3cret" } }] });
      logger.info({ config: { database: { directUrl: "s3cret" }, mail: { smtpUrl: "s3cret" } } });
      logger.info({ subscription: { customHeaders: { "X-Mine": "s3cret" }, signingSecret: "s3cret" } });
      logger.child({ apiKey: "s3cret", clientId: "ACME" }).info("child");
      logger
        .child({})
        .child({ job: { password: "s3cret" } }, { level: "info" })
        .info("grandchild");
      logger.error(Object.assign(new Error("failed"), { headers: { authorization: "s3cret" } }));
      logger.error({ err: Object.assign(new Error("failed"), { password: "s3cret" }) });
      const text = lines.join("");
      assert.ok(!text.includes("s3cret"), text);
      assert.equal(text.match(/\[redacted\]/g)?.length, 17);
      assert.ok(text.includes("ACME"));
    });
  }

  test("a circular or very deep object does not prevent the log line", () => {
    const { lines, logger } = collect({ level: "info", format: "json" });
    const loop: Record<string, unknown> = { clientId: "ACME" };
    loop.self = loop;
    logger.info(loop, "loop");
    assert.match(lines.join(""), /"clientId":"ACME".*"msg":"loop"/);
  });

  test("an error is logged with its message, stack and cause, and left as it was", () => {
    const { lines, logger } = collect({ level: "info", format: "json" });
    const error = Object.assign(new Error("outer", { cause: new Error("inner") }), { password: "kept" });
    logger.error({ err: error }, "failed");
    const { err } = JSON.parse(lines.join("")) as { err: { message: string; stack: string } };
    assert.match(err.message, /outer: inner/);
    assert.match(err.stack, /log\.test\.ts/);
    assert.equal(error.password, "kept");
  });

  test("a database error is logged with its code and position, without row and value", () => {
    const { lines, logger } = collect({ level: "info", format: "json" });
    const fields = { severity: "ERROR", table: "sales_order", constraint: "qty_positive", hint: "Look at Jane Roe" };
    const row = { detail: "Failing row contains (ACME, Jane Roe)", where: "unnamed portal parameter $3 = 'Jane Roe'" };
    logger.error({ err: Object.assign(new Error("violates check"), { code: "23514", ...fields, ...row }) }, "failed");
    const value = new Error('invalid input syntax for type date: "Jane Roe"');
    logger.error({ err: Object.assign(value, { code: "22007", ...fields, ...row }) }, "failed");
    assert.ok(!lines.join("").includes("Jane Roe"), lines.join(""));
    const errors = lines.map((line) => (JSON.parse(line) as { err: Record<string, string> }).err);
    assert.deepEqual(
      errors.map(({ code, table, constraint, message }) => [code, table, constraint, message]),
      [
        ["23514", "sales_order", "qty_positive", "violates check"],
        ["22007", "sales_order", "qty_positive", 'invalid input syntax for type date: "…"'],
      ],
    );
  });
});
