type Environment = Readonly<Record<string, string | undefined>>;

/** EventStoreDB takes every variable that begins with EVENTSTORE_ for an option of its own, and does not start with one it does not know. */
export const ALIASES: Readonly<Record<string, string>> = {
  EVENT_STORE_URL: 'EVENTSTORE_URL',
  EVENT_STORE_PREFIX: 'EVENTSTORE_PREFIX',
};

/** The settings by their own names. @returns them, and a line for each that has two values */
export function resolveAliases(given: Environment): {
  readonly resolved: Environment;
  readonly faults: readonly string[];
} {
  const others = Object.entries(ALIASES).filter(([alias]) => given[alias] !== undefined);
  return {
    resolved: {
      ...Object.fromEntries(others.map(([alias, name]) => [name, given[alias]])),
      ...Object.fromEntries(Object.entries(given).filter(([name]) => !(name in ALIASES))),
    },
    faults: others
      .filter(([alias, name]) => given[name] !== undefined && given[name] !== given[alias])
      .map(([alias, name]) => `${alias} is another name of ${name}, which has another value: leave one out`),
  };
}
