import type { Documents } from '../../contracts/ports/documents';
import { describeChanges } from './documents/changes';
import { describeCommits } from './documents/commits';
import { describeCounting } from './documents/counting';
import { describeDeclarations } from './documents/declarations';
import { describeFinding } from './documents/finding';
import { describeFindingAgain } from './documents/finding-again';
import type { Strings } from './documents/model';
import { describePaging } from './documents/paging';
import { describeUnanswerableQueries } from './documents/unanswerable-queries';
import { describeVersions } from './documents/versions';
import { createHarness, type Open } from './harness';

/**
 * The contract of the documents port, for every adapter.
 *
 * @param open opens the documents with a name that is new for each test; twice with one name gives two clients of the
 * same documents
 * @param strings which strings the adapter orders correctly; default: all
 */
export function describeDocuments(
  name: string,
  open: Open<Documents>,
  { strings = 'any' }: { readonly strings?: Strings } = {},
): void {
  describe(`documents in ${name}`, () => {
    const harness = createHarness(open);
    describeDeclarations(harness);
    describeCommits(harness);
    describeFinding(harness, strings);
    describeFindingAgain(harness);
    describePaging(harness);
    describeUnanswerableQueries(harness);
    describeCounting(harness);
    describeChanges(harness);
    describeVersions(harness);
  });
}
