/** One event of a stream of server-sent events, with the fields that it has. */
export interface Frame {
  readonly event?: string;
  readonly id?: string;
  readonly data?: string;
}

const FIELD = /^(event|id|data): ?(.*)$/s;

/**
 * Splits a stream of server-sent events into frames, heartbeats without data included, which an `EventSource` never shows.
 * @returns what is called with each part of the stream
 */
export function frameParser(onFrame: (frame: Frame) => void): (text: string) => void {
  let rest = '';
  let fields: Record<string, string> = {};
  return text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines.map(each => each.replace(/\r$/, ''))) {
      const [, name, value] = FIELD.exec(line) ?? [];
      if (name) fields[name] = value!;
      else if (line === '' && Object.keys(fields).length > 0) {
        onFrame(fields);
        fields = {};
      }
    }
  };
}
