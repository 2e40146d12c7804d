import { InvalidArgumentError, Option } from 'commander';
import { instant } from '../../../../contracts/http/billing/fields';
import { parsePosition } from '../../../../contracts/position';

/** A past RFC 3339 instant, in UTC with milliseconds. Positions have an option of their own: 2020 is one, and looks like a year. */
export function asOfOption(): Option {
  return new Option('--as-of <instant>', 'as recorded at an RFC 3339 instant').argParser(text => {
    const parsed = instant.safeParse(text);
    if (!parsed.success)
      throw new InvalidArgumentError(
        'An RFC 3339 instant such as 2026-11-20T12:00:00Z; a position is for --until-position.',
      );
    if (parsed.data >= new Date().toISOString()) throw new InvalidArgumentError('It must lie in the past.');
    return parsed.data;
  });
}

export function untilPositionOption(): Option {
  return new Option('--until-position <position>', 'only what was recorded up to this position').argParser(
    text => {
      const position = parsePosition(text);
      if (position === null) throw new InvalidArgumentError('A position as in X-Ledger-Position.');
      return position;
    },
  );
}
