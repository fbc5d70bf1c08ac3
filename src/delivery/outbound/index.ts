export {
  type SetChannels,
  type ShownChannels,
  setChannels,
  showChannels,
} from "#/delivery/outbound/channel-service.ts";
export { readDocuments, resendDocument } from "#/delivery/outbound/channels.ts";
export { createOutboundConsumer } from "#/delivery/outbound/consumer.ts";
export { findOutbound, outboundObjectTypes } from "#/delivery/outbound/repository.ts";
export { registerOutboundRoutes } from "#/delivery/outbound/routes.ts";
export { createOutboundFolders } from "#/delivery/outbound/sftp-folders.ts";
export { takeMidnightSnapshots } from "#/delivery/outbound/snapshots.ts";
export { writeSnapshots } from "#/delivery/outbound/statement-writer.ts";
