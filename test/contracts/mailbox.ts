import { describeExpiry } from './mailbox/expiry';
import { describeSubscribing } from './mailbox/subscribing';
import { describeKilling } from './mailbox/killing';
import { describeLimits } from './mailbox/limits';
import { describeModel } from './mailbox/model';
import { createMailboxHarness, type OpenMailbox } from './mailbox/harness';
import { describePosting } from './mailbox/posting';
import { describeReading } from './mailbox/reading';

/**
 * What every adapter of the mailbox port does.
 *
 * @param open opens the mailbox at a place, a name that is new for each test; twice for one place gives two clients of
 *   the same mailbox
 * @param poster the arguments with which the program `mailbox/poster` opens the one at a place
 */
export function describeMailbox(
  name: string,
  open: OpenMailbox,
  poster: (place: string) => readonly string[],
): void {
  describe(`the mailbox in ${name}`, () => {
    const harness = createMailboxHarness(open, poster);
    describePosting(harness);
    describeReading(harness);
    describeExpiry(harness);
    describeLimits(harness);
    describeSubscribing(harness);
    describeModel(harness);
    describeKilling(harness);
  });
}
