/** The answers by name, each found once; for names that are few, such as countries and facilities. */
export function remembered<Answer>(find: (name: string) => Answer): (name: string) => Answer {
  const answers = new Map<string, Answer>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = find(name);
    answers.set(name, answer);
    return answer;
  };
}
