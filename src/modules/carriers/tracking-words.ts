/**
 * States of tracking services whose codes are not rows of `carrier_code_map`, which comes before them. The names are those
 * of the services, in lower case.
 * @see Shippo, tracking statuses and substatuses; ShipStation API v2, tracking status codes.
 */
export const trackingWords: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  SHIPPO: {
    pre_transit: 105,
    transit: 120,
    delivered: 200,
    returned: 300,
    failure: 230,
    information_received: 105,
    package_accepted: 110,
    package_arrived: 125,
    package_departed: 130,
    package_processing: 120,
    package_processed: 120,
    package_forwarded: 120,
    out_for_delivery: 160,
    delivery_scheduled: 155,
    delivery_rescheduled: 155,
    delivery_attempted: 170,
    notice_left: 170,
    location_inaccessible: 170,
    pickup_available: 175,
    delayed: 165,
    package_held: 180,
    contact_carrier: 180,
    address_issue: 185,
    package_damaged: 190,
    package_lost: 195,
    package_undeliverable: 230,
    package_unclaimed: 230,
    package_disposed: 230,
    return_to_sender: 250,
  },
  SHIPSTATION: { ny: 105, ac: 105, it: 120, at: 170, sp: 175, ex: 180, de: 200 },
};
