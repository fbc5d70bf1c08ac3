import type { RequestFault } from "#/kernel/refusal.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";

/** What a valid set says and its author rarely means, each with its place. */
export function warningsOf({ services }: CarrierData): RequestFault[] {
  return services.flatMap(({ postal, hazmat }, i) =>
    // The Convention of the UPU keeps dangerous goods out of the post, but for a few exceptions.
    postal === true && hazmat === true
      ? [
          {
            pointer: `#/services/${i}/hazmat`,
            message:
              "a postal service accepts few dangerous goods: set it only if the contract with the post allows them",
          },
        ]
      : [],
  );
}
