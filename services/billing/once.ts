/** Asks for each thing once, also while the first answer is on its way. For as long as one command lasts. */
export function onceEach<Thing>(ask: (key: string) => Promise<Thing>): (key: string) => Promise<Thing> {
  const asked = new Map<string, Promise<Thing>>();
  return key => {
    const answer = asked.get(key) ?? ask(key);
    asked.set(key, answer);
    return answer;
  };
}
