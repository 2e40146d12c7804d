import { originStatus } from './origin-status';

const APP = 'https://app.example';
const PHISHING = 'https://phishing.example';
const HOME = '192.0.2.1';
const at = (origin: string, network: string) => ({ origin, network });
const elsewhere = Array.from({ length: 3 }, (_, n) => at(`https://noise-${n}.example`, `203.0.113.${n}`));

it.each([
  ['ok', [at(APP, HOME)]],
  ['ok, whatever pages strangers name elsewhere', [at(APP, HOME), ...elsewhere]],
  ['danger', [at(PHISHING, HOME)]],
  ['danger, also when a stranger elsewhere names the page', [at(PHISHING, HOME), at(APP, '203.0.113.9')]],
  ['ok, whatever page connects later', [at(APP, HOME), at(PHISHING, HOME)]],
  ['danger, whatever page connects later', [at(PHISHING, HOME), at(APP, HOME)]],
  ['danger, whatever page is named later elsewhere', [at(PHISHING, '198.51.100.1'), at(APP, '203.0.113.9')]],
  ['warning', [at(APP, '198.51.100.1')]],
  ['warning, whatever pages strangers name elsewhere', [at(APP, '198.51.100.1'), ...elsewhere]],
  ['danger, from other pages alone', [at(PHISHING, '198.51.100.1')]],
  ['unknown', []],
])('%s', (status, origins) => {
  expect(originStatus({ origins, mayBeMore: false }, at(APP, HOME))).toBe(status.split(',')[0]);
});

it('is unknown where the page may be among those that there was no room for', () => {
  expect(originStatus({ origins: elsewhere, mayBeMore: true }, at(APP, HOME))).toBe('unknown');
  expect(originStatus({ origins: [at(PHISHING, HOME)], mayBeMore: true }, at(APP, HOME))).toBe('danger');
});
