const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The lines of a text in UTF-8, whose byte order mark is left out. Line feeds end them, and nothing else does: Node's
 * readers of lines have other ends as well, such as U+2028, which may be part of a text in JSON.
 * @param maxBytes of a line
 * @returns null for a longer line
 */
export async function* linesIn(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer | null> {
  /** The start of a line whose end was not read yet; its bytes are not kept once it is too long. */
  let rest: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length <= maxBytes) rest.push(part);
    else rest = [];
  };
  const end = (): Buffer | null => {
    let line = length > maxBytes ? null : rest.length === 1 ? rest[0]! : Buffer.concat(rest);
    if (isFirst && line?.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
      line = line.subarray(BYTE_ORDER_MARK.length);
    isFirst = false;
    rest = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length > 0) yield end();
}
