import { kilogramsOf, type WeightUnit } from "#/kernel/telemetry/measure.ts";
import type { CommercialInvoice, Party } from "#/modules/documents/index.ts";
import { weightInKilograms } from "#/modules/documents/index.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

/** The words of most services for the reason of an export. */
const contentsOf: Readonly<Record<CommercialInvoice["reasonForExport"], string>> = {
  SALE: "merchandise",
  GIFT: "gift",
  SAMPLE: "sample",
  RETURN: "returned_goods",
  REPAIR: "other",
};

const centimetresOf: Readonly<Record<string, number>> = { CM: 1, MM: 0.1, M: 100, IN: 2.54, FT: 30.48 };

/** The values that templates of label sources read (contract carriers.md, Label sources). */
export function labelValues(
  parcel: ParcelFacts,
  invoice: CommercialInvoice,
  hasCustoms: boolean,
): Readonly<Record<string, unknown>> {
  const { weight, weightUomCode, length, width, height, dimensionsUomCode } = parcel;
  const { exporter, consignee, lines, currency, incoterm, reasonForExport } = invoice;
  const kg = weight * kilogramsOf[weightUomCode as WeightUnit];
  const sides = (perCm: number) => {
    const factor = (centimetresOf[dimensionsUomCode ?? ""] ?? 0) * perCm;
    const inUnit = (side: number | undefined) =>
      side === undefined || factor === 0 ? undefined : rounded(side * factor);
    return { length: inUnit(length), width: inUnit(width), height: inUnit(height) };
  };
  const goods = lines.map((line) => {
    const qty = line.qty / 1_000;
    const unitKg = line.unitNetWeight && weightInKilograms(line.unitNetWeight);
    return {
      sku: line.sku,
      description: line.description,
      hsCode: line.hsCode,
      countryOfOrigin: line.countryOfOrigin,
      identifiers: line.identifiers,
      qty,
      unitValue: line.unitValue,
      value: line.unitValue === undefined ? undefined : rounded(Number(line.unitValue) * qty),
      currency,
      weight: unitKg === undefined ? undefined : weightsOf(unitKg * qty),
      unitWeight: unitKg === undefined ? undefined : weightsOf(unitKg),
    };
  });
  return {
    order: { orderId: parcel.orderId, reference: invoice.externalOrderReference },
    shipDate: invoice.date,
    from: addressOf(exporter),
    to: addressOf(consignee),
    parcel: { olpnId: parcel.olpnId, weight: weightsOf(kg), cm: sides(1), in: sides(1 / 2.54) },
    goods,
    ...(hasCustoms
      ? {
          customs: {
            contents: contentsOf[reasonForExport],
            goods,
            currency,
            incoterm,
            reasonForExport,
            numbers: exporter.customsNumbers,
          },
        }
      : {}),
  };
}

const rounded = (value: number) => Math.round(value * 1_000) / 1_000;
/** A weight in the units of sources. */
export const weightsOf = (kg: number) => ({
  kg: rounded(kg),
  g: rounded(kg * 1_000),
  lb: rounded(kg / kilogramsOf.LB),
  oz: rounded(kg / kilogramsOf.OZ),
});

/** Sources want a name of a person: where there is none, that of the company. */
function addressOf(party: Party): object {
  const { firstName, lastName, companyName, department, ...place } = party;
  const name = [firstName, lastName].flatMap((part) => part?.trim() || []).join(" ");
  return { ...place, name: name || companyName, companyName, department };
}
