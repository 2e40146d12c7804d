import type { Samples } from '../sample';

const data = { domain: '.example.com', reason: null, at: '2026-03-01T12:00:00.000Z', by: 'cli:ann' };

export const ALLOWED_DOMAIN_SAMPLES: Samples = {
  DomainAllowed: [{ v: 1, data }],
  DomainRevoked: [{ v: 1, data: { ...data, reason: 'phishing' } }],
};
