export * from "#/modules/clients/credentials/credentials.ts";
export * from "#/modules/clients/credentials/log-ins.ts";
export * from "#/modules/clients/directory.ts";
export { type ClientProfile, clientCredentialKinds, secretHash } from "#/modules/clients/domain.ts";
export * from "#/modules/clients/notice.ts";
export * from "#/modules/clients/onboarding.ts";
export {
  type ClientRecord,
  changeClient,
  createClient,
  listClientPage,
  listClients,
  lockTenant,
  type NewClient,
  profileWithoutClient,
  recheckFacilities,
  resumeClient,
  shareFacilities,
  showClient,
  suspendClient,
} from "#/modules/clients/service.ts";
export * from "#/modules/clients/settings.ts";
