import { appConfig, appVersions } from './app-config';

const config = { txTimeout: 60, changelly: { minAmount: 31, minAmountCurrency: 'usd' } };
const platform = { critical: '2.3', latest: '2.3.12', url: 'https://store.example/app' };

it('accepts what wallets read', () => {
  expect(
    appConfig.safeParse({ ...config, features: { swap: false }, resources: { link: 'x' } }).success,
  ).toBe(true);
  expect(appVersions.safeParse({ ios: platform, android: { ...platform, url: '' } }).success).toBe(true);
});

it.each([
  ['no timeout', { ...config, txTimeout: undefined }, ['txTimeout']],
  ['a timeout as text', { ...config, txTimeout: '60' }, ['txTimeout']],
  ['no minimum of the exchange', { txTimeout: 60 }, ['changelly']],
  ['a feature that is not a flag', { ...config, features: { swap: 'yes' } }, ['features', 'swap']],
  [
    'a warning without a text',
    { ...config, browserAlerTexts: { phishing: {} } },
    ['browserAlerTexts', 'phishing', 'message'],
  ],
  ['a member that no wallet reads', { ...config, txTimout: 60 }, []],
  [
    'too many keys',
    { ...config, resources: Object.fromEntries([...Array(201).keys()].map(key => [`k${key}`, ''])) },
    ['resources'],
  ],
])('refuses a configuration with %s', (_what, content, path) => {
  expect(appConfig.safeParse(content).error?.issues[0]?.path).toEqual(path);
});

it.each([
  ['one platform', { ios: platform }, ['android']],
  [
    'a version that is no number',
    { ios: { ...platform, latest: '2.3-beta' }, android: platform },
    ['ios', 'latest'],
  ],
  [
    'a critical version later than the latest',
    { ios: { ...platform, critical: '2.4' }, android: platform },
    ['ios', 'critical'],
  ],
  [
    'a link that is not https',
    { ios: platform, android: { ...platform, url: 'http://a.example' } },
    ['android', 'url'],
  ],
])('refuses versions with %s', (_what, content, path) => {
  expect(appVersions.safeParse(content).error?.issues[0]?.path).toEqual(path);
});
