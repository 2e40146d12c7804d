import { Command } from 'commander';
import { z } from 'zod';
import { allowedDomainStream } from '../../../../contracts/events/allowed-domain';
import { visibleLine } from '../../../../contracts/text/visible-text';
import { webDomain } from '../../../../contracts/url/web-domain';
import { allowedDomainKind, type DomainCommand } from '../../../../services/allowed-domains/decider';
import {
  coversHost,
  listAllowedDomains,
  type AllowedDomain,
} from '../../../../services/allowed-domains/list';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

const decision = z.object({
  domain: z.string().transform((text, context) => {
    const domain = webDomain(text);
    if (domain !== null) return domain;
    context.addIssue({
      code: 'custom',
      message:
        'a host such as example.com, or .example.com for it and every host under it; not an IP address or a public suffix',
    });
    return z.NEVER;
  }),
  reason: visibleLine(200).optional(),
});

/** The domains of `GET /protect/allowed-domains`. */
export function domainsCommand(config: () => Config): Command {
  return new Command('domains')
    .description('domains that wallets open in their browser without a warning')
    .addCommand(deciding(config, 'allow', 'allow a domain'))
    .addCommand(
      deciding(config, 'revoke', 'no longer allow a domain, not even one that comes with the program'),
    )
    .addCommand(
      new Command('list')
        .description('list the allowed domains, and who allowed them')
        .action(async (_flags: object, command: Command) => {
          const domains = await withEngines(config(), ({ engines }) => listAllowedDomains(engines.store));
          print({ domains }, tableOf(domains), command);
        }),
    )
    .addCommand(explainCommand(config));
}

const tableOf = (domains: readonly AllowedDomain[]): string[] => {
  const rows = domains.map(({ domain, at, by, reason }) => [
    domain,
    at ?? '',
    by ?? 'comes with the program',
    reason ?? '',
  ]);
  return list('domains', [['DOMAIN', 'SINCE', 'BY', 'REASON'], ...rows]);
};

const explained = z.object({
  host: z.string().transform((text, context) => {
    const url = text.includes('://') ? text : `https://${text}`;
    if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url).hostname;
    context.addIssue({ code: 'custom', message: 'must be a host, or the URL of a page' });
    return z.NEVER;
  }),
});

const explainCommand = (config: () => Config): Command =>
  new Command('explain')
    .description('show whether a host is allowed, and which entries of the list allow it')
    .argument('<host-or-url>', 'a host, or the URL of a page')
    .action(async (text: string, _flags: object, command: Command) => {
      const { host } = parseInput(explained, { host: text });
      const domains = await withEngines(config(), ({ engines }) => listAllowedDomains(engines.store));
      const entries = domains.filter(({ domain }) => coversHost(domain, host));
      const allowed = entries.length > 0;
      print(
        { host, allowed, entries },
        [`${host}: ${allowed ? 'allowed' : 'not allowed'}`, ...(allowed ? tableOf(entries) : [])],
        command,
      );
    });

const deciding = (config: () => Config, type: DomainCommand['type'], description: string): Command =>
  new Command(type)
    .description(description)
    .argument('<domain>', 'a host; with a leading dot, also every host under it')
    .option('--reason <text>', 'why; do not name people')
    .action(async (text: string, flags: { reason?: string }, command: Command) => {
      const { domain, reason } = parseInput(decision, { ...flags, domain: text });
      const { changed } = await decideAsOperator(config(), command, {
        about: { domain },
        kind: allowedDomainKind,
        stream: allowedDomainStream(domain),
        given: { type, domain, reason: reason ?? null },
      });
      const done = type === 'allow' ? 'allowed' : 'revoked';
      const unchanged = type === 'allow' ? 'was allowed already' : 'was not allowed';
      print({ domain, changed }, [`${domain}: ${changed ? done : unchanged}`], command);
    });
