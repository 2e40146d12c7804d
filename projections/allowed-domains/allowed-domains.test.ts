import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { allowedDomainsProjection } from './allowed-domains';

const decided = (type: 'Allowed' | 'Revoked', domain: string, at: string, reason: string | null = null) =>
  [
    `allowedDomain-${domain}`,
    { type: `Domain${type}`, data: { domain, reason, at, by: 'ann' }, metadata: { v: 1 } },
  ] as const;

it('has the last decision about each domain', () =>
  given(
    allowedDomainsProjection,
    history(
      decided('Allowed', 'a.example.com', '2026-03-01T12:00:00.000Z'),
      decided('Allowed', '.example.org', '2026-03-02T12:00:00.000Z'),
      decided('Revoked', 'a.example.com', '2026-03-03T12:00:00.000Z', 'phishing'),
    ),
  ).then({
    allowed_domains: [
      { _id: '.example.org', isAllowed: true, reason: null, at: '2026-03-02T12:00:00.000Z', by: 'ann' },
      {
        _id: 'a.example.com',
        isAllowed: false,
        reason: 'phishing',
        at: '2026-03-03T12:00:00.000Z',
        by: 'ann',
      },
    ],
  }));
