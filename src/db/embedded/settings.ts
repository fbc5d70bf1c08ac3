// PostgreSQL's settings for the default of one node on one machine. They are given on the command line, so that a new
// release changes them for existing databases too; the caller's own come last.
import { totalmem } from "node:os";

const mebibyte = 2 ** 20;

/** @param memoryBytes the machine's memory */
export function defaultSettings(memoryBytes = totalmem()): Record<string, string> {
  const sharedBuffersMb = Math.round(Math.max(32, Math.min(1024, memoryBytes / mebibyte / 8)));
  return {
    cluster_name: "crossdock", // tells these processes from other PostgreSQL servers in `ps`

    // Reached by this machine only, by TCP only: a socket's path would have to be short and writable.
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100", // seven roles with ten connections each, and room for the command line

    // What has been acknowledged is on disk.
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",

    // An eighth of the memory at most, since Node, and perhaps a desktop, live here too.
    shared_buffers: `${sharedBuffersMb}MB`,
    effective_cache_size: `${Math.round(Math.max(128, memoryBytes / mebibyte / 2))}MB`,
    maintenance_work_mem: "64MB",

    // After a crash the log since the last checkpoint is replayed: at this bound it takes seconds, and service resumes
    // soon. Compressed page images make that bound go further.
    max_wal_size: "1GB",
    wal_compression: "on",

    // Pages are written out ahead of need: with the defaults a busy hour's inserts find only dirty buffers, and write
    // those out themselves while a sender waits.
    bgwriter_delay: "50ms",
    bgwriter_lru_maxpages: "1000",
    bgwriter_lru_multiplier: "4",

    random_page_cost: "1.1", // on solid-state disks an index is hardly dearer out of order
    jit: "off", // compiling costs more than our short statements take

    // Logs are read by people anywhere, and by us when a start fails.
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_line_prefix: "%m [%p] ",
  };
}
