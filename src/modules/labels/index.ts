export {
  type BoughtLabel,
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
} from "#/modules/labels/source-contract.ts";
export * from "#/modules/labels/sources.ts";
export { fill, fillText } from "#/modules/labels/template.ts";
