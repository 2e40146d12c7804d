import type { Documents } from '../../contracts/ports/documents';
import { describeCommits } from './documents/commits';
import { describeCounting } from './documents/counting';
import { describeDeclarations } from './documents/declarations';
import { describeFinding } from './documents/finding';
import { describeNotices } from './documents/notices';
import type { Strings } from './documents/model';
import { describePaging } from './documents/paging';
import { type Open, placesOf } from './places';
import { describeRefusals } from './documents/refusals';
import { describeVersions } from './documents/versions';

/**
 * What every adapter of the documents port does.
 *
 * @param open opens the store at a place, a name that is new for each test; twice for one place gives two clients of
 *   the same documents
 * @param strings which strings are ordered; default: all
 */
export function describeDocuments(
  name: string,
  open: Open<Documents>,
  { strings = 'any' }: { readonly strings?: Strings } = {},
): void {
  describe(`documents in ${name}`, () => {
    const places = placesOf(open);
    describeDeclarations(places);
    describeCommits(places);
    describeFinding(places, strings);
    describePaging(places);
    describeRefusals(places);
    describeCounting(places);
    describeNotices(places);
    describeVersions(places);
  });
}
