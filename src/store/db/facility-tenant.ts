/**
 * A facility owns the webhooks of its warehouse as a tenant: they have an event log, deliveries and lanes like those of
 * a client (docs/decisions/0044-webhooks-of-warehouses.md). No client id has a colon.
 */
const prefix = "facility:";

/** The facility's id in the place of a client's. */
export const facilityTenant = (facilityCode: string): string => `${prefix}${facilityCode}`;

/** The facility of a tenant; undefined for a client. */
export function facilityOfTenant(tenantId: string): string | undefined {
  return tenantId.startsWith(prefix) ? tenantId.slice(prefix.length) : undefined;
}
