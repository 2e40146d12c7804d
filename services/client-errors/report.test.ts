import { clientErrorReport } from '../../contracts/http/client-errors';
import { PHRASE } from '../../test/client-errors/secrets';
import { scrubReport } from './report';

const report = (body: object) => scrubReport(clientErrorReport.parse(body));
const stack = (line: number, folder = 'app') =>
  [
    'TypeError: no balance',
    `    at useBalance (/data/${folder}/index.android.bundle:${line}:7)`,
    `    at renderWithHooks (/data/${folder}/index.android.bundle:${line + 100}:7)`,
  ].join('\n');
const sample = {
  message: 'no balance after 1203 ms',
  stack: stack(1),
  platform: 'ios',
  appVersion: '2.5.45',
};

test('one error has one fingerprint, whatever numbers, folders and versions are in its reports', () => {
  const { fingerprint } = report(sample);
  expect(fingerprint).toMatch(/^[\w-]{24}$/);
  for (const same of [
    { message: 'no balance after 87 ms' },
    { stack: stack(9, 'other') },
    { appVersion: '2.6.0', platform: 'android', url: 'HomeFragment' },
    { additionalData: { errorId: 'x' } },
  ])
    expect(report({ ...sample, ...same }).fingerprint).toBe(fingerprint);
  for (const other of [
    { message: 'no rate after 1203 ms' },
    { stack: stack(1).replace('useBalance', 'useRate') },
    { stack: null },
    { errorType: 'TypeError' },
  ])
    expect(report({ ...sample, ...other }).fingerprint).not.toBe(fingerprint);
});

test('an error is identified by its first frames, whatever has called them', () => {
  const frames = (count: number) =>
    Array.from({ length: count }, (_, n) => `    at ${'abcdefghij'[n]}Of (index.js:1:2)`).join('\n');
  const of = (stack: string) => report({ ...sample, stack }).fingerprint;
  expect(of(frames(5))).toBe(of(frames(9)));
  expect(of(frames(4))).not.toBe(of(frames(5)));
});

test('an error whose report has a secret has the same fingerprint with any', () => {
  const of = (words: readonly string[]) =>
    report({ message: `cannot import: ${words.join(' ')}` }).fingerprint;
  expect(of(PHRASE.slice(0, 12))).toBe(of([...PHRASE].reverse()));
});

test('takes what wallets send, and what the specification names', () => {
  expect(
    report({ ...sample, url: 'HomeFragment', additionalData: { errorId: 'e-1', at: { screen: 'home' } } }),
  ).toEqual({
    fingerprint: report(sample).fingerprint,
    message: sample.message,
    stack: sample.stack,
    url: 'HomeFragment',
    data: '{"errorId":"e-1","at":{"screen":"home"}}',
    platform: 'ios',
    appVersion: '2.5.45',
  });
  expect(report({ errorType: 'TypeError', logs: ['opened', 1], context: { screen: 'home' } })).toMatchObject({
    message: 'TypeError',
    stack: null,
    data: '{"context":{"screen":"home"},"logs":["opened",1]}',
    platform: null,
    appVersion: null,
  });
});

test('every field is scrubbed, with keys and values of nested data, before it is cut', () => {
  const phrase = PHRASE.join(' ');
  const nested = {
    list: PHRASE,
    by: { [phrase]: 1, password: 'hunter2-xk' },
    bytes: [...Buffer.alloc(32, 77)],
  };
  const scrubbed = report({
    message: `${'x '.repeat(485)}${phrase}`,
    errorType: phrase,
    stack: `${'y '.repeat(1_490)}${phrase}`,
    url: `home ${phrase}`,
    platform: 'ann@example.org',
    appVersion: '203.0.113.77',
    additionalData: nested,
    context: { logs: nested },
    logs: PHRASE,
  });
  const text = JSON.stringify(scrubbed);
  for (const word of [...PHRASE, 'hunter2', '77,77', 'ann@', '203.']) expect(text).not.toContain(word);
});

test.each([
  { platform: PHRASE.slice(0, 4).join(' '), appVersion: PHRASE.slice(4, 8).join(' ') },
  { platform: PHRASE.slice(0, 4).join('-'), appVersion: PHRASE.slice(4, 8).join('.') },
  { platform: 'ios 18.1', appVersion: 'of Ann' },
])('a platform and a version are names and nothing else: %j', labels => {
  expect(report({ ...sample, ...labels })).toMatchObject({ platform: null, appVersion: null });
});

test.each([
  ['android', '2.5.45'],
  ['web', 'v3.0.0-beta.1+231'],
])('keeps the platform %s and the version %s', (platform, appVersion) => {
  expect(report({ ...sample, platform, appVersion })).toMatchObject({ platform, appVersion });
});

test('is bounded', () => {
  const long = 'word-1 '.repeat(2_000);
  const text = JSON.stringify(report({ message: long, stack: long, url: long, additionalData: { long } }));
  expect(text.length).toBeLessThan(7_000);
  expect(report({ message: `${'x '.repeat(499)}😀😀` }).message).toMatch(/^[^\p{Cs}]*…$/u);
});
