export {
  type BoughtLabel,
  jsonOf,
  labelOfBytes,
  labelOfText,
  type ReadAnswer,
  readAnswer,
  type SourceAnswer,
} from "#/modules/labels/answer.ts";
export * from "#/modules/labels/manifests.ts";
export * from "#/modules/labels/purchases.ts";
export {
  ownSource,
  type SourceCall,
  type SourceCalls,
  type SourceDefinition,
  sourceCode,
  sourceDefinition,
  sourceKinds,
  type TrackCall,
  type VerifyCall,
} from "#/modules/labels/source-contract.ts";
export * from "#/modules/labels/sources.ts";
export { fill, fillText } from "#/modules/labels/template.ts";
export {
  type AddressAnswer,
  type CorrectedFields,
  correctedFields,
  readAddressAnswer,
} from "#/modules/labels/verify.ts";
