import { encryptedTextsIn } from '../../contracts/text/personal-text';
import { FEATURES } from '../../infra/program/features';
import { SAMPLES, STREAM_KINDS } from './declared';

it('every event that has personal texts of wallets or devices is of a retention that keeps their keys', () => {
  const sampled = STREAM_KINDS.flatMap(({ categories, families }) => {
    const samples = families.flatMap(({ types }) => types.flatMap(({ name }) => SAMPLES[name]!));
    const subjects = samples.flatMap(({ data }) => encryptedTextsIn(data)).map(({ subject }) => subject);
    const aging = subjects.flatMap(subject => /^(ton|push):/.exec(subject)?.[0] ?? []);
    return categories.flatMap(category => [...new Set(aging)].map(begins => `${category} ${begins}`));
  });
  const kept = FEATURES.retentions.flatMap(({ category, textsOf }) =>
    textsOf === undefined ? [] : `${category} ${textsOf}`,
  );
  expect(kept.sort()).toEqual(sampled.sort());
});
