export { createOutboundConsumer } from "#/delivery/outbound/consumer.ts";
export { type OutboundType, outboundTypes } from "#/delivery/outbound/documents/render.ts";
export { findOutbound } from "#/delivery/outbound/origin.ts";
export { readDocuments } from "#/delivery/outbound/push-messages.ts";
export { registerOutboundRoutes } from "#/delivery/outbound/routes.ts";
export { createOutboundFolders } from "#/delivery/outbound/sftp-folders.ts";
export { takeMidnightSnapshots } from "#/delivery/outbound/snapshots.ts";
export { writeSnapshots } from "#/delivery/outbound/statement-writer.ts";
export { type SetWays, type ShownWays, setWays, showWays } from "#/delivery/outbound/ways-service.ts";
