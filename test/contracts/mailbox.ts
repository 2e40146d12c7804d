import { describeExpiry } from './mailbox/expiry';
import { describeSubscribing } from './mailbox/subscribing';
import { describeProcessCrash } from './mailbox/process-crash';
import { describeLimits } from './mailbox/limits';
import { describeModel } from './mailbox/model';
import { createMailboxHarness, type OpenMailbox } from './mailbox/harness';
import { describePosting } from './mailbox/posting';
import { describeReading } from './mailbox/reading';

/**
 * The contract of the mailbox port, for every adapter.
 *
 * @param open opens the mailbox with a name that is new for each test; twice with one name gives two clients of the
 * same mailbox
 * @param poster the arguments with which the program `mailbox/posting-process` opens the one with a name
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
    describeProcessCrash(harness);
  });
}
