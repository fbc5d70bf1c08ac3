import { feedTypes, outboundTypes } from "#/kernel/feed-types.ts";
// Every metric of `/metrics` and of OTLP, by the conventions of Prometheus: dashboard, alert rules, documentation and
// tests read this table. Labels have few values: none is a client, an object, a token or an address. Details that need
// a label with 10,000 clients are in the log, the traces and the console.
// In addition, `process_*` and `nodejs_*` describe the process.

export interface MetricDefinition {
  readonly name: `crossdock_${string}`;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** The values of each label; a text describes values whose list is defined elsewhere. */
  readonly labels: Readonly<Record<string, string | readonly string[]>>;
  /**
   * PROCESS: counted in the process, so the values of nodes are added up. STORE: the same on every node, because it is
   * read from the store, at most every ten seconds; of several nodes the maximum is taken. Missing while the store does
   * not answer.
   */
  readonly of: "PROCESS" | "STORE";
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** From a small document on an idle machine to the longest time that a client waits, in seconds. */
const answerSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] as const;
const commitSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20] as const;
/** A receiver has 15 s to answer a push. */
const pushSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const;
const jobSeconds = [0.01, 0.1, 1, 5, 15, 60, 300, 1_800] as const;

const source = ["http", "sftp", "cli", "console"] as const;
const service = "the service of the path, such as `feeds`, `oauth`, `orderService`; `none` where no route has the path";
const route = "the route's template, such as `/v1/orderService/order/get/:orderId`; `none` where no route has the path";

/** The maximum of the store's gauges: a larger backlog is reported as this value. */
export const countMax = 20_000;

export const metricCatalogue = {
  buildInfo: {
    name: "crossdock_build_info",
    kind: "gauge",
    help: "Always 1; the version that runs and the environment it serves.",
    labels: { version: "the release", environment: ["sandbox", "staging", "production"] },
    of: "PROCESS",
  },
  httpRequests: {
    name: "crossdock_http_requests_total",
    kind: "counter",
    help: "HTTP requests answered. Status `aborted`: the sender disconnected before the answer started.",
    labels: {
      service,
      method: "the HTTP method; `other` for an unusual one",
      route,
      status: "the HTTP status",
    },
    of: "PROCESS",
  },
  httpRequestDuration: {
    name: "crossdock_http_request_duration_seconds",
    kind: "histogram",
    help: "Seconds from the head of a request to the end of its answer, including the time in which the sender sends the body, without the time for which a list waits (`wait`).",
    // Without the status, which multiplies the buckets of 250 routes by five.
    labels: { service, method: "as of crossdock_http_requests_total", route },
    of: "PROCESS",
    buckets: answerSeconds,
  },
  eventLoopStep: {
    name: "crossdock_event_loop_step_max_seconds",
    kind: "gauge",
    help: "The longest step of the event loop since the start, in processor time, of each route with one above 0.1 s: no other request is served meanwhile.",
    labels: { route: "as of crossdock_http_requests_total; other work by its name, such as `job statistics`" },
    of: "PROCESS",
  },
  httpRequestsInProgress: {
    name: "crossdock_http_requests_in_progress",
    kind: "gauge",
    help: "HTTP requests in progress.",
    labels: {},
    of: "PROCESS",
  },
  rateLimited: {
    name: "crossdock_rate_limited_requests_total",
    kind: "counter",
    help: "Requests refused with 429 because their credential exceeded its rate.",
    labels: { service },
    of: "PROCESS",
  },

  feedDocuments: {
    name: "crossdock_feed_documents_total",
    kind: "counter",
    help: "Feed documents received. accepted, rejected, parked: validated and stored. replayed: a repeat with the first answer. key_conflict, in_progress: the Idempotency-Key belongs to another document. unavailable: nothing was stored, or the outcome is unknown. failed: an internal error.",
    labels: {
      type: feedTypes,
      source,
      outcome: [
        ...["accepted", "rejected", "parked", "replayed", "key_conflict", "in_progress"],
        ...["unavailable", "failed"],
      ],
    },
    of: "PROCESS",
  },
  feedAcknowledgement: {
    name: "crossdock_feed_acknowledgement_duration_seconds",
    kind: "histogram",
    help: "Seconds from the last byte of a feed document to its ACK, which confirms the commit.",
    labels: { type: feedTypes, source },
    of: "PROCESS",
    buckets: answerSeconds,
  },
  feedFaults: {
    name: "crossdock_feed_faults_total",
    kind: "counter",
    help: "Codes in feed documents that were not accepted; each code once a document.",
    labels: { type: feedTypes, code: "the code of the error sentence, such as `XSD` or `UNKNOWN_SKU`" },
    of: "PROCESS",
  },
  feedReprocessed: {
    name: "crossdock_feed_documents_reprocessed_total",
    kind: "counter",
    help: "Parked or rejected documents that were reprocessed, by the healing worker or an operator.",
    labels: { type: feedTypes, outcome: ["accepted", "rejected", "parked"] },
    of: "PROCESS",
  },
  feedQueue: {
    name: "crossdock_feed_queue_documents",
    kind: "gauge",
    help: "Documents that wait for their commit, or are being committed.",
    labels: {},
    of: "PROCESS",
  },
  feedCommitDocuments: {
    name: "crossdock_feed_commit_documents",
    kind: "histogram",
    help: "Documents in one commit: the batch size.",
    labels: {},
    of: "PROCESS",
    buckets: [1, 2, 4, 8, 16, 32, 64],
  },
  feedCommitDuration: {
    name: "crossdock_feed_commit_duration_seconds",
    kind: "histogram",
    help: "Seconds of a commit of feed documents. slow: of one client whose statement timed out. careful: one document alone, because it is large or its batch failed.",
    labels: { lane: ["fast", "slow", "careful"] },
    of: "PROCESS",
    buckets: commitSeconds,
  },
  feedUnfinished: {
    name: "crossdock_feed_documents_unfinished",
    kind: "gauge",
    help: `Accepted documents that are not processed yet, counted up to ${countMax} of all types.`,
    labels: { type: feedTypes },
    of: "STORE",
  },
  feedOldestUnfinished: {
    name: "crossdock_feed_oldest_unfinished_seconds",
    kind: "gauge",
    help: "Age of the oldest of crossdock_feed_documents_unfinished; 0 without any.",
    labels: {},
    of: "STORE",
  },
  feedParked: {
    name: "crossdock_feed_documents_parked",
    kind: "gauge",
    help: `Documents that wait for a SKU that is in no catalogue, counted up to ${countMax}.`,
    labels: {},
    of: "STORE",
  },
  feedOverdue: {
    name: "crossdock_feed_documents_overdue",
    kind: "gauge",
    help: `Accepted documents without an outcome after the deadline of their client, counted up to ${countMax}.`,
    labels: {},
    of: "STORE",
  },

  outboxPublished: {
    name: "crossdock_outbox_events_published_total",
    kind: "counter",
    help: "Events published, including events that consumers caused.",
    labels: {},
    of: "PROCESS",
  },
  outboxUnpublished: {
    name: "crossdock_outbox_unpublished_events",
    kind: "gauge",
    help: `Events that wait to be published, counted up to ${countMax}.`,
    labels: {},
    of: "STORE",
  },
  outboxOldest: {
    name: "crossdock_outbox_oldest_unpublished_seconds",
    kind: "gauge",
    help: "Age of the oldest of crossdock_outbox_unpublished_events; 0 without any.",
    labels: {},
    of: "STORE",
  },
  outboxFailed: {
    name: "crossdock_outbox_failed_events",
    kind: "gauge",
    help: `Events that failed in three attempts and wait for an operator, counted up to ${countMax}.`,
    labels: {},
    of: "STORE",
  },

  allocationLines: {
    name: "crossdock_allocation_lines_total",
    kind: "counter",
    help: "Order lines with an allocation decision: the open quantity was allocated completely, in part (partial), or not at all (none).",
    labels: { outcome: ["allocated", "partial", "none"] },
    of: "PROCESS",
  },
  allocationDuration: {
    name: "crossdock_allocation_duration_seconds",
    kind: "histogram",
    help: "Seconds of one allocation, of all its orders: at publication (orders), or of freed stock (stock).",
    labels: { cause: ["orders", "stock"] },
    of: "PROCESS",
    buckets: commitSeconds,
  },

  webhookAttempts: {
    name: "crossdock_webhook_attempts_total",
    kind: "counter",
    help: "Requests sent to the receivers of webhooks and of pushed outbound feeds. Results other than delivered are failures (status: not 2xx; unreadable: secret or headers cannot be decrypted, nothing was sent; lost: the result is unknown).",
    labels: {
      outcome: [
        ...["delivered", "blocked", "dns", "connect", "tls", "reset", "timeout", "redirect", "status", "protocol"],
        ...["unreadable", "lost"],
      ],
    },
    of: "PROCESS",
  },
  webhookAttemptDuration: {
    name: "crossdock_webhook_try_duration_seconds",
    kind: "histogram",
    help: "Seconds of an attempt, from the name lookup to the last byte of the answer.",
    labels: {},
    of: "PROCESS",
    buckets: pushSeconds,
  },
  labelAttempts: {
    name: "crossdock_label_attempts_total",
    kind: "counter",
    help: "Attempts to buy a label at a label source, or to give it back. Results: bought, voided, refused by the source, later (no answer, or none that ends the purchase).",
    labels: { outcome: ["bought", "voided", "refused", "later"] },
    of: "PROCESS",
  },
  addressRequests: {
    name: "crossdock_address_requests_total",
    kind: "counter",
    help: "Requests to the verifier of addresses. Results: answered with a verdict, failed (no answer in time, or none with a verdict).",
    labels: { outcome: ["answered", "failed"] },
    of: "PROCESS",
  },
  webhookPending: {
    name: "crossdock_webhook_deliveries_pending",
    kind: "gauge",
    help: `Deliveries that have not ended and are due, or wait for their next attempt, counted up to ${countMax}.`,
    labels: {},
    of: "STORE",
  },
  webhookOldestPending: {
    name: "crossdock_webhook_oldest_pending_seconds",
    kind: "gauge",
    help: "Age of the oldest of crossdock_webhook_deliveries_pending; 0 without any.",
    labels: {},
    of: "STORE",
  },
  webhookLanesWaiting: {
    name: "crossdock_webhook_lanes_waiting_seconds",
    kind: "gauge",
    help: "Seconds for which the due subscription that has waited longest has had no worker; 0 where none waits.",
    labels: {},
    of: "STORE",
  },
  webhookFanOutBehind: {
    name: "crossdock_webhook_fan_out_behind_seconds",
    kind: "gauge",
    help: "Age of the oldest event without deliveries, of the client with the largest delay; 0 where none waits. `crossdock doctor` names the client.",
    labels: {},
    of: "STORE",
  },
  webhookFanOutClients: {
    name: "crossdock_webhook_fan_out_clients_delayed",
    kind: "gauge",
    help: "Clients with an event older than N seconds without deliveries, counted up to 1,000.",
    labels: { seconds: ["1", "10", "60", "600"] },
    of: "STORE",
  },
  webhookDisabled: {
    name: "crossdock_webhook_subscriptions_disabled",
    kind: "gauge",
    help: `Subscriptions that were disabled because their receiver failed for days, counted up to ${countMax}.`,
    labels: {},
    of: "STORE",
  },

  outboundDocuments: {
    name: "crossdock_outbound_documents_total",
    kind: "counter",
    help: "Outbound documents created.",
    labels: { type: outboundTypes },
    of: "PROCESS",
  },

  sftpSessions: {
    name: "crossdock_sftp_sessions",
    kind: "gauge",
    help: "Open SFTP sessions.",
    labels: {},
    of: "PROCESS",
  },
  sftpLogIns: {
    name: "crossdock_sftp_log_ins_total",
    kind: "counter",
    help: "Log-ins over SFTP.",
    labels: { outcome: ["accepted", "refused"] },
    of: "PROCESS",
  },
  sftpFiles: {
    name: "crossdock_sftp_files_total",
    kind: "counter",
    help: "Files over SFTP. in: feed documents; put_off: not processed, the sender keeps the file and retries. out: files opened for reading.",
    labels: { direction: ["in", "out"], outcome: ["accepted", "rejected", "put_off", "opened"] },
    of: "PROCESS",
  },

  warehouseReports: {
    name: "crossdock_warehouse_reports_total",
    kind: "counter",
    help: "Reports of warehouses and carriers through the port.",
    labels: { kind: "the kind of report, such as `pick`", outcome: ["accepted", "replayed", "refused", "failed"] },
    of: "PROCESS",
  },

  mails: {
    name: "crossdock_mails_total",
    kind: "counter",
    help: "Alert mails. kept: no mail server is set, so they are shown in the console only. put_off: retried later.",
    labels: { outcome: ["sent", "kept", "put_off", "failed"] },
    of: "PROCESS",
  },
  notifications: {
    name: "crossdock_notifications_total",
    kind: "counter",
    help: "Attempts to send messages of notification rules. kept: no mail server is set. put_off: retried later. failed: given up after a day.",
    labels: { channel: ["mail", "webhook", "slack"], outcome: ["sent", "kept", "put_off", "failed"] },
    of: "PROCESS",
  },

  jobRuns: {
    name: "crossdock_job_runs_total",
    kind: "counter",
    help: "Runs of timed jobs on this process. put_off: other transactions use the same stock, or the database does not answer.",
    labels: { job_name: "the job's name, such as `stock-check`", outcome: ["done", "put_off", "failed"] },
    of: "PROCESS",
  },
  jobDuration: {
    name: "crossdock_job_duration_seconds",
    kind: "histogram",
    help: "Seconds of a completed run of a timed job.",
    labels: { job_name: "as of crossdock_job_runs_total" },
    of: "PROCESS",
    buckets: jobSeconds,
  },
  jobLastSuccess: {
    name: "crossdock_job_last_success_timestamp_seconds",
    kind: "gauge",
    help: "Unix time of the end of the last run that succeeded, on any node.",
    labels: { job_name: "as of crossdock_job_runs_total" },
    of: "STORE",
  },

  dbConnections: {
    name: "crossdock_db_connections",
    kind: "gauge",
    help: "Connections of the pool of this process: in use (busy) and ready (idle); waiting counts requests for a connection.",
    labels: { state: ["busy", "idle", "waiting"] },
    of: "PROCESS",
  },
  dbConnectionsMax: {
    name: "crossdock_db_connections_max",
    kind: "gauge",
    help: "Maximum connections of the pool of this process: CROSSDOCK_DB_POOL for each role.",
    labels: {},
    of: "PROCESS",
  },
  dbConnectionWait: {
    name: "crossdock_db_connection_wait_seconds",
    kind: "histogram",
    help: "Seconds of waiting for a connection of the pool.",
    labels: {},
    of: "PROCESS",
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 3],
  },
  dbErrors: {
    name: "crossdock_db_statement_errors_total",
    kind: "counter",
    help: "Transactions and statements that failed in the database, by the class of their SQLSTATE: 40 serialisation, 55 locks, 57 time-outs and shut-downs, 08 connections; `none`: no answer, and no SQLSTATE.",
    labels: { sqlstate_class: "two characters of the SQLSTATE, or `none`" },
    of: "PROCESS",
  },
  storeUp: {
    name: "crossdock_store_up",
    kind: "gauge",
    help: "1 while the database answers, else 0; then the gauges that are read from it are missing.",
    labels: {},
    of: "PROCESS",
  },
  clockSkew: {
    name: "crossdock_clock_skew_seconds",
    kind: "gauge",
    help: "Seconds by which the clock of the machine is ahead of the database's; negative if it is behind. Beyond 60 s the process runs no timed work.",
    labels: {},
    of: "PROCESS",
  },

  exceptionsOpen: {
    name: "crossdock_exceptions_open",
    kind: "gauge",
    help: "Open exceptions in the console, by type, counted up to 1000 each.",
    labels: { type: "the type of the exception, such as `FEED_OVERDUE`" },
    of: "STORE",
  },

  requestLogDropped: {
    name: "crossdock_request_log_dropped_total",
    kind: "counter",
    help: "Requests of clients that are missing in the request log: too many waited (queue_full), or the store did not take them (not_stored). The requests themselves were answered as usual.",
    labels: { reason: ["queue_full", "not_stored"] },
    of: "PROCESS",
  },
  telemetryDropped: {
    name: "crossdock_telemetry_dropped_total",
    kind: "counter",
    help: "Spans that were not sent to the OTLP collector: the queue was full, the collector refused or did not answer (not_taken), or their client could not be determined (no_origin).",
    labels: { reason: ["queue_full", "not_taken", "no_origin"] },
    of: "PROCESS",
  },
  telemetrySpans: {
    name: "crossdock_telemetry_spans_exported_total",
    kind: "counter",
    help: "Spans accepted by the OTLP collector.",
    labels: {},
    of: "PROCESS",
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof metricCatalogue;
