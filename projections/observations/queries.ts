import type { Observation } from '../../contracts/observation/observation';
import type { Observed, ObservedSubject } from '../../contracts/observation/reader';
import type { Source } from '../../contracts/ports/documents';
import type { Views } from '../views';
import { observedCollection, type ObservedDocument } from './projection';

/** The newest observation of a subject; null when there is none. */
export async function findObserved<Subject, Data>(
  views: Pick<Views, 'get'>,
  observation: Observation<Subject, Data>,
  subject: Subject,
): Promise<Observed<Data> | null> {
  const id = observation.subject.format(subject);
  const found = await views.get<ObservedDocument<Data>>(observedCollection(observation), id);
  return found && { height: found.height, at: found.at, data: found.data };
}

/** The newest observations of several subjects, in their order; null where there is none. */
export async function findManyObserved<Subject, Data>(
  views: Pick<Views, 'getMany'>,
  observation: Observation<Subject, Data>,
  subjects: readonly Subject[],
): Promise<(Observed<Data> | null)[]> {
  const ids = subjects.map(subject => observation.subject.format(subject));
  const found = await views.getMany<ObservedDocument<Data>>(observedCollection(observation), ids);
  return ids.map(id => {
    const document = found.get(id);
    return document ? { height: document.height, at: document.at, data: document.data } : null;
  });
}

/** The newest observations of subjects whose text begins with a part and a `/`, in the order of their texts. */
export async function findPartObserved<Subject, Data>(
  views: Pick<Views, 'find'>,
  observation: Observation<Subject, Data>,
  part: string,
  limit: number,
): Promise<ObservedSubject<Subject, Data>[]> {
  const { documents } = await views.find<ObservedDocument<Data>>(observedCollection(observation), {
    // `0` is the character after `/`.
    filter: { _id: { gt: `${part}/`, lt: `${part}0` } },
    limit,
  });
  return documents.map(document => subjectOf(observation, document));
}

/** The subjects whose newest observation has one of the values in a field, which has an index. At most two for each value. */
export async function findSubjectsByField<Subject>(
  views: Pick<Views, 'find'>,
  observation: Observation<Subject, unknown>,
  field: string,
  values: readonly string[],
): Promise<readonly { readonly subject: Subject; readonly value: string }[]> {
  const { documents } = await views.find<ObservedDocument>(observedCollection(observation), {
    filter: { [`data.${field}`]: { in: values } },
    limit: 2 * values.length,
  });
  return documents.map(({ _id, data }) => ({
    subject: observation.subject.parse(_id),
    value: (data as Readonly<Record<string, string>>)[field]!,
  }));
}

/** The newest observations of all subjects of a kind, in the order of their texts, in pages of `limit`. */
export async function* scanObserved<Subject, Data>(
  views: Pick<Views, 'scan'>,
  observation: Observation<Subject, Data>,
  limit: number,
): AsyncIterable<ObservedSubject<Subject, Data>[]> {
  const pages = views.scan<ObservedDocument<Data>>(observedCollection(observation), { limit });
  for await (const page of pages) yield page.map(document => subjectOf(observation, document));
}

const subjectOf = <Subject, Data>(
  { subject }: Observation<Subject, Data>,
  { _id, height, at, data }: ObservedDocument<Data>,
): ObservedSubject<Subject, Data> => ({ subject: subject.parse(_id), observed: { height, at, data } });

/** The source of `findObserved`. */
export function observedSource<Subject>(
  observation: Pick<Observation<Subject>, 'kind' | 'subject'>,
  subject: Subject,
): Source {
  return { collection: observedCollection(observation), part: observation.subject.format(subject) };
}
