// The telemetry of SFTP: the trace of a file is that of the token in its ACK, and sessions and files are counted.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { rootSpanIdOf, traceIdOf } from "#/kernel/telemetry/trace.ts";
import { atEnd } from "../support/app/at-end.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { startCollector } from "../support/http/otlp.ts";
import { scrape, sumOf } from "../support/http/scrape.ts";
import { withProgram } from "../support/sftp/openssh.ts";
import { localFile, localPath } from "../support/sftp/server.ts";
import { opensshAbsence, type SftpPlace, sftpUser } from "../support/sftp/user.ts";

const collector = await startCollector();
atEnd(() => collector.close());
const server = await testServer({ CROSSDOCK_SFTP_PORT: "0", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

withProgram(
  "a file put over SFTP has the trace of its ACK's token, and is counted with its session",
  opensshAbsence,
  async () => {
    const { credentials, accept } = await server.onboard("FILED");
    await accept("CAT", catalogue("FILED", ["A"]));
    const user = sftpUser(server.sftp as SftpPlace, credentials.sftp);
    const before = await scrape(server.url);
    await user.done(
      `put ${localFile("F-1.xml", order("FILED", "F-1", ["A"]))} /inbound/NO/F-1.xml`,
      `put ${localFile("F-2.xml", order("FILED", "F-2", ["UNKNOWN"]))} /inbound/NO/F-2.xml`,
      `get /acks/F-1.xml.ack.xml ${localPath("ack")}`,
    );
    const wrong = sftpUser(server.sftp as SftpPlace, { username: "filed", password: "not this one" });
    assert.notEqual((await wrong.batch("ls")).code, 0);
    const token = /<token>([^<]+)</.exec(readFileSync(localPath("ack"), "utf8"))?.[1] as string;
    const spans = () => collector.spans().filter(({ traceId }) => traceId === traceIdOf(token));
    // A span is exported before its parent, and each in the next message.
    const wanted = ["SFTP file", "validate", "wait for commit", "commit", "publish", "allocate"];
    await until("the order was allocated in its trace", () => {
      const names = new Set(spans().map(({ name }) => name));
      return wanted.every((name) => names.has(name));
    });
    const [root] = spans().filter(({ parentId }) => parentId === undefined);
    assert.deepEqual([root?.name, root?.kind, root?.spanId], ["SFTP file", 2, rootSpanIdOf(token)]);
    assert.equal(root?.attributes["crossdock.object_id"], "F-1");
    for (const name of ["validate", "wait for commit", "commit", "publish"]) {
      assert.equal(spans().find((span) => span.name === name)?.parentId, root?.spanId, name);
    }
    await until("the session has ended", async () => sumOf(await scrape(server.url), "crossdock_sftp_sessions") === 0);
    const after = await scrape(server.url);
    const grown = (name: string, labels: Record<string, string>) =>
      sumOf(after, name, labels) - sumOf(before, name, labels);
    assert.equal(grown("crossdock_sftp_log_ins_total", { outcome: "accepted" }), 1);
    assert.ok(grown("crossdock_sftp_log_ins_total", { outcome: "refused" }) >= 1);
    assert.equal(grown("crossdock_sftp_files_total", { direction: "in", outcome: "accepted" }), 1);
    assert.equal(grown("crossdock_sftp_files_total", { direction: "in", outcome: "rejected" }), 1);
    assert.equal(grown("crossdock_sftp_files_total", { direction: "out", outcome: "opened" }), 1);
    assert.equal(grown("crossdock_feed_documents_total", { source: "sftp", type: "NO" }), 2);
  },
);
