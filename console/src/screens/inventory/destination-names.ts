/** The destinations of customs data, in words. */
export const destinationNames: Readonly<Record<string, string>> = {
  EU: "European Union",
  GB: "Great Britain",
  US: "United States",
  CH_NO: "Switzerland and Norway",
  OTHER: "Other countries",
};
