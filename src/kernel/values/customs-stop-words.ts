/**
 * Descriptions that the Import Control System 2 of the European Union refuses, because they do not say what the goods are.
 * The Commission's list has more entries, among them names of companies, and grows: a description that is in none of these
 * may still be refused.
 * @see European Commission, ICS2 list of stop words (reference TAXUD.A.3.003/TA), with the additions of 4 May 2026.
 */
const stopWords = new Set(
  `accessories|adapter|agricultural products|aid consignment|alcohol|all kind of cargo|all kind of goods|animals|apparel|
appliances|arms|articles|artwork|as ordered|as per attached invoice|attached manifest|auto|auto parts|automobiles|baggage|
bags|battery|bazaar goods|biological substances|birthday gifts|bits|boards|boxes|cables|caps|cards|cartons|case|charity|
chemicals|chemicals flammable|chemicals hazardous|chemicals non-hazardous|cleaning products|clothes|clothing|
collected items|commodity|component|consol|consolidated|consolidated cargo|consolidated goods|consolidation|consumer|
courier|courier bags|courier goods|courier material|cnsl|dangerous goods|decorations|decorative crafts|decorative items|
didactic articles|docs|documents|documentations|dox|drugs|drums|e-commerce|electronic equipment|electronic goods|
electronic items|electronics|equipment|exhibition goods|express|firearm|food|foodstuff|footwear|fresh fruit|fresh herbs|
fresh plants|fresh vegetable|freight all kinds|from upu postal|fruit|fruit products|fruit pulp|fuel|garments|
general cargo|general goods|gift|gift box|gifts|gizmos|goods|invoice|items|joint shipping|label|likewise|machinery|mail|
materials|merchandise|miscellaneous|miscellaneous products|mixed|model|n/a|none|odd parts|others|pallets|parcel|parts|
party accessories|personal effects|pieces|pre-addressed parcel|private|private things|products|returned goods|
said to contain|sample|samples|samples for analysis|scrap|see invoice|several|several goods|shoes|souvenirs|spare|
spare parts|sporting goods|stc|stuff|substance|test|textiles|things|tools|toys|unknown|various|various goods|
various products|vegetables|white goods`
    .replaceAll("\n", "")
    .split("|"),
);

/** The stop word that a description consists of; undefined if any part of it says more. */
export function stopWordOf(description: string): string | undefined {
  const parts = description
    .toLowerCase()
    .split(/[,;&+]|\band\b/)
    .map((part) => part.replaceAll(/\s+/g, " ").replaceAll(/^[\s.]+|[\s.]+$/g, ""))
    .filter((part) => part !== "");
  return parts.every((part) => stopWords.has(part)) ? parts[0] : undefined;
}
