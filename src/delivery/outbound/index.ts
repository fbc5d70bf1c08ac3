export { createOutboundConsumer } from "#/delivery/outbound/consumer.ts";
export { findOutbound } from "#/delivery/outbound/origin.ts";
export { registerOutboundRoutes } from "#/delivery/outbound/routes.ts";
export { takeMidnightSnapshots } from "#/delivery/outbound/snapshots.ts";
export { writeSnapshots } from "#/delivery/outbound/statement-writer.ts";
