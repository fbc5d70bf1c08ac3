/** What the invented carriers of the demo offer: the operator's default, so that every client of a fresh installation has some. */
const neighbours = ["AT", "BE", "CH", "DE", "DK", "ES", "FR", "IE", "IT", "LU", "NL", "PL", "PT", "SE"];

export const demoCarrierData = {
  services: [
    {
      ...{ code: "HBP-LETTER", carrierCode: "HBP", name: "Harbour Post Large Letter", serviceLevel: "ECONOMY" },
      ...{ countries: ["GB"], maxWeightKg: 0.75, maxLongestSideCm: 35, trackable: false },
      transitDays: { DOMESTIC: 3 },
    },
    {
      ...{ code: "HBP-48", carrierCode: "HBP", name: "Harbour Post Tracked 48", serviceLevel: "STANDARD" },
      ...{ countries: ["GB"], maxWeightKg: 20, maxLongestSideCm: 61, dimensionalDivisor: 5000 },
      maxDeclaredValue: { amount: 100, currency: "GBP" },
      transitDays: { DOMESTIC: 2 },
    },
    {
      ...{ code: "HBP-24", carrierCode: "HBP", name: "Harbour Post Tracked 24", serviceLevel: "NEXT_DAY" },
      ...{ countries: ["GB"], maxWeightKg: 20, maxLongestSideCm: 61, dimensionalDivisor: 5000, signature: true },
      maxDeclaredValue: { amount: 500, currency: "GBP" },
      transitDays: { DOMESTIC: 1 },
      cutOff: { DC1: "17:00" },
    },
    {
      ...{ code: "NWP-ROAD", carrierCode: "NWP", name: "Northway Road", serviceLevel: "STANDARD" },
      ...{ countries: ["GB", ...neighbours], maxWeightKg: 31.5, maxLongestSideCm: 120, dimensionalDivisor: 4000 },
      ...{ hazmat: true, transitDays: { DOMESTIC: 2, EUROPE: 4 } },
    },
    {
      ...{ code: "NWP-BULK", carrierCode: "NWP", name: "Northway Two-Person", serviceLevel: "ECONOMY" },
      ...{ countries: ["GB", "NL"], maxWeightKg: 120, maxLongestSideCm: 300, bulky: true, signature: true },
      transitDays: { DOMESTIC: 5 },
    },
    {
      ...{ code: "KEX-AIR", carrierCode: "KEX", name: "Kestrel Express Worldwide", serviceLevel: "EXPRESS" },
      ...{ maxWeightKg: 30, maxLongestSideCm: 100, dimensionalDivisor: 5000, signature: true },
      maxDeclaredValue: { amount: 5000, currency: "EUR" },
      transitDays: { DOMESTIC: 1, EUROPE: 2, WORLD: 4 },
      cutOff: { DC1: "16:00", DC2: "15:30" },
    },
  ],
};
