/** Prepared JSON of immutable answers by URL, the least recently used forgotten first. */
export interface AnswerCache {
  get(url: string): string | undefined;
  set(url: string, json: string): void;
  clear(): void;
}

/** @param budget most characters kept */
export function createAnswerCache(budget: number): AnswerCache {
  const answers = new Map<string, string>();
  let size = 0;
  const forget = (url: string): void => {
    size -= answers.get(url)?.length ?? 0;
    answers.delete(url);
  };
  return {
    get(url) {
      const json = answers.get(url);
      if (json === undefined) return undefined;
      answers.delete(url);
      answers.set(url, json);
      return json;
    },
    set(url, json) {
      forget(url);
      answers.set(url, json);
      size += json.length;
      for (const oldest of answers.keys()) {
        if (size <= budget) break;
        forget(oldest);
      }
    },
    clear() {
      answers.clear();
      size = 0;
    },
  };
}
