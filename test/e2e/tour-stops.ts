/** A block of commands on a page, and the answer that is shown below it. */
export interface TourStop {
  readonly script: string;
  readonly shown: string | undefined;
}

/** The blocks of a page: `sh` is typed; `json` or `text` below it shows what that prints, with `…` for anything. */
export function tourStops(page: string): TourStop[] {
  return [...page.matchAll(/^```sh\n([^]*?)^```\n(?:\n```(?:json|text)\n([^]*?)^```$)?/gm)].map(
    ([, script, shown]) => ({ script: script!, shown }),
  );
}

/**
 * Whether an answer is the one shown: the same but for white space, with anything where `…` is.
 * An answer may have more before and after what is shown.
 */
export function isAnswerShown(shown: string, printed: string): boolean {
  const answer = printed.replace(/\s/g, '');
  let at = 0;
  for (const part of shown.replace(/\s/g, '').split('…')) {
    const found = answer.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
