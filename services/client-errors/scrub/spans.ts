/** A part of a text: from `start`, up to and without `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text with a placeholder instead of each span. @param spans by `start`; they may overlap */
export function replaceSpans(text: string, spans: readonly Span[], placeholder: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    if (start >= from) parts.push(text.slice(from, start), placeholder);
    from = Math.max(from, end);
  }
  parts.push(text.slice(from));
  return parts.join('');
}
