export { exchangeOf, type SourceAccess, testSource } from "#/delivery/labels/attempt.ts";
export { type LabelBuyer, startLabelBuyer, type WorkerContext } from "#/delivery/labels/buyer.ts";
export { beginManifests, createManifestRounds } from "#/delivery/labels/manifests.ts";
export { startRateFetcher } from "#/delivery/labels/rates.ts";
export { createSourceClient, type SourceClient } from "#/delivery/labels/source-client.ts";
export { createTrackingRounds } from "#/delivery/labels/tracking.ts";
