/**
 * Masks are both the rule and the words of the error that names it: `A` is a letter, `9` a digit, `*` either of them,
 * a blank is optional, and any other character stands for itself. The empty mask takes the absent postcode.
 */

/** Judges a postcode whose blanks are gone; case does not matter, letters and digits are those of ASCII. */
export type MaskMatcher = (postcodeWithoutBlanks: string) => boolean;

export function compileMasks(masks: readonly string[]): MaskMatcher {
  // One expression per country of fixed-width alternatives: nothing repeats, so nothing backtracks. Without the `u`
  // flag, `i` folds no foreign letter (such as the Kelvin sign) into an ASCII one.
  const pattern = new RegExp(`^(?:${masks.map(maskSource).join("|")})$`, "i");
  return (postcode) => pattern.test(postcode);
}

function maskSource(mask: string): string {
  let source = "";
  for (const character of mask) {
    if (character === "A") source += "[A-Z]";
    else if (character === "9") source += "[0-9]";
    else if (character === "*") source += "[A-Z0-9]";
    else if (character !== " ") source += RegExp.escape(character);
  }
  return source;
}
