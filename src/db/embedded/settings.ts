// PostgreSQL's settings for the default of one node on one machine. They are passed on the command line, so that a new
// release also changes them for existing databases. The caller's settings come last.
import { totalmem } from "node:os";

const mebibyte = 2 ** 20;

/** @param memoryBytes the machine's memory */
export function defaultSettings(memoryBytes = totalmem()): Record<string, string> {
  const sharedBuffersMb = Math.round(Math.max(32, Math.min(1024, memoryBytes / mebibyte / 8)));
  return {
    cluster_name: "crossdock", // distinguishes these processes from other PostgreSQL servers in `ps`

    // Only this machine connects, and only over TCP: the path of a socket has to be short and writable.
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100", // seven roles with ten connections each, and room for the command line

    // Acknowledged data is on disk.
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",

    // At most an eighth of the memory, because Node, and perhaps a desktop, run on the same machine.
    shared_buffers: `${sharedBuffersMb}MB`,
    effective_cache_size: `${Math.round(Math.max(128, memoryBytes / mebibyte / 2))}MB`,
    maintenance_work_mem: "64MB",

    // After a crash, PostgreSQL replays the log since the last checkpoint. At this bound the replay takes seconds, and
    // the service resumes soon. Compressed page images make that bound go further.
    max_wal_size: "1GB",
    wal_compression: "on",

    // The background writer writes pages ahead of need. With the defaults, a busy hour's inserts find only dirty
    // buffers, and write those out themselves while a sender waits.
    bgwriter_delay: "50ms",
    bgwriter_lru_maxpages: "1000",
    bgwriter_lru_multiplier: "4",

    random_page_cost: "1.1", // on solid-state disks a random read costs hardly more than a sequential one
    jit: "off", // compilation costs more than these short statements take

    // People anywhere read the logs, and this program reads them when a start fails.
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_line_prefix: "%m [%p] ",
  };
}
