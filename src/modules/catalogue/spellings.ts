// Other spellings of a SKU that partners send by mistake: another case, a hyphen more or less.

/** Long SKUs have only few spellings that people write. */
const spellingsMax = 200;

/**
 * Spellings that differ from a SKU by case, and by hyphens, blanks and underscores: each a key to look up, so that the
 * cost depends on the length of the SKU and not on the catalogue.
 */
export function spellingsOf(sku: string): readonly string[] {
  const plain = sku.replace(/[-_ ]/g, "");
  const joints = [sku, plain, ...["-", "_", " "].map((joint) => sku.replace(/[-_ ]/g, joint))];
  for (let at = 1; at < sku.length; at++) {
    if (/[-_ ]/.test(sku[at] as string)) joints.push(sku.slice(0, at) + sku.slice(at + 1));
    else if (!/[-_ ]/.test(sku[at - 1] as string)) joints.push(`${sku.slice(0, at)}-${sku.slice(at)}`);
  }
  const spellings = new Set<string>();
  for (const form of joints) {
    for (const cased of [form, form.toUpperCase(), form.toLowerCase(), capitalised(form)]) spellings.add(cased);
  }
  spellings.delete(sku);
  return [...spellings].slice(0, spellingsMax);
}

const capitalised = (text: string) =>
  text.toLowerCase().replace(/(^|[-_ ])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
