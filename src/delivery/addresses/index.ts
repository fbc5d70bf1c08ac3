export { startAddressChecker } from "#/delivery/addresses/checker.ts";
