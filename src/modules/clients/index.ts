export * from "#/modules/clients/agent-tools.ts";
export * from "#/modules/clients/credentials/credentials.ts";
export * from "#/modules/clients/credentials/log-ins.ts";
export * from "#/modules/clients/directory.ts";
export { type ClientProfile, clientCredentialKinds, secretHash } from "#/modules/clients/domain.ts";
export * from "#/modules/clients/notice.ts";
export * from "#/modules/clients/onboarding.ts";
export { lockTenant, shareFacilities } from "#/modules/clients/repository.ts";
export {
  type ClientRecord,
  changeClient,
  createClient,
  listClientPage,
  listClients,
  type NewClient,
  profileWithoutClient,
  resumeClient,
  showClient,
  suspendClient,
} from "#/modules/clients/service.ts";
export * from "#/modules/clients/setting-words.ts";
export * from "#/modules/clients/settings.ts";
export { recheckFacilities } from "#/modules/clients/uses.ts";
