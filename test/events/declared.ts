import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainEvent } from '../../contracts/decider';
import type { EventFamily } from '../../contracts/events/event-type';
import type { Samples } from './sample';

type Exports = Readonly<Record<string, unknown>>;

/** What each file of a folder exports. */
const modulesIn = (folder: string): Exports[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => jest.requireActual<Exports>(join(folder, name)));

const isFamily = (exported: unknown): exported is EventFamily<DomainEvent> =>
  typeof exported === 'object' && exported !== null && 'types' in exported && 'write' in exported;

/** The kinds of streams that the files of `contracts/events` declare: their categories, and the families of their events. */
export const STREAM_KINDS = modulesIn(join(__dirname, '../../contracts/events')).map(exported => ({
  categories: Object.entries(exported).flatMap(([name, value]) =>
    name.endsWith('_CATEGORY') ? [value as string] : [],
  ),
  families: Object.values(exported).filter(isFamily),
}));

/** What the files of `samples` export as `…_SAMPLES`. */
export const SAMPLES: Samples = Object.fromEntries(
  modulesIn(join(__dirname, 'samples')).flatMap(exported =>
    Object.entries(exported).flatMap(([name, samples]) =>
      name.endsWith('_SAMPLES') ? Object.entries(samples as Samples) : [],
    ),
  ),
);
