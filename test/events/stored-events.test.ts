import type { DomainEvent } from '../../contracts/decider';
import type { EventFamily } from '../../contracts/events/event-type';
import { SAMPLES, STREAM_KINDS } from './declared';
import type { Sample } from './sample';

const FAMILIES = STREAM_KINDS.flatMap(({ families }) => families);

const familyOf = (type: string): EventFamily<DomainEvent> =>
  FAMILIES.find(({ types }) => types.some(({ name }) => name === type))!;

it('every version of every event type has a sample', () => {
  const versions = FAMILIES.flatMap(({ types }) => types).flatMap(({ name, version }) =>
    Array.from({ length: version }, (_, n) => `${name} ${n + 1}`),
  );
  const sampled = Object.entries(SAMPLES).flatMap(([type, samples]) =>
    samples.map(({ v }) => `${type} ${v}`),
  );
  expect(new Set(versions).size).toBe(versions.length);
  expect([...new Set(sampled)].sort()).toEqual(versions.sort());
});

it.each(
  Object.entries(SAMPLES).flatMap(([type, samples]) =>
    samples.map((sample): [string, number, Sample] => [type, sample.v, sample]),
  ),
)(
  '%s of version %i is read as its latest version, which can be written',
  (type, v, { data, latest = data }) => {
    const family = familyOf(type);
    const event = family.read({ type, data, metadata: { v } });
    expect(event.data).toEqual(latest);
    const written = family.write(event, 'id', {});
    const { version } = family.types.find(({ name }) => name === type)!;
    expect(written).toEqual({ id: 'id', type, data: latest, metadata: { v: version } });
  },
);
