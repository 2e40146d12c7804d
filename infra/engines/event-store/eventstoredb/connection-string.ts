/** The message is for operators, and without the string itself, which may hold a password. */
export class InvalidConnectionString extends Error {}

const OPTIONS = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'tlsVerifyCert',
  'userCertFile',
  'userKeyFile',
];

const plain = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '');

const KNOWN = new Set(OPTIONS.map(plain));

/**
 * The string with a scheme that the client knows, after checking its options: the client would warn about them on the
 * console, password included.
 * @throws InvalidConnectionString
 */
export function normalizeConnectionString(url: string): string {
  const renamed = url.trim().replace(/^(?:kurrentdb|kurrent|kdb)(\+discover)?:/, 'esdb$1:');
  if (!/^esdb(\+discover)?:\/\/[^?]+/.test(renamed))
    throw new InvalidConnectionString(
      'it must have the form esdb://[user:password@]host:port[,host:port][?tls=false] or esdb+discover://...',
    );
  for (const option of renamed.split('?')[1]?.split('&') ?? []) {
    const [name = '', value] = option.split('=');
    if (!KNOWN.has(plain(name))) throw new InvalidConnectionString(`the client has no option ${name}`);
    if (plain(name) === 'tlsverifycert' && value !== 'true')
      throw new InvalidConnectionString(
        'the client always verifies certificates; set the certificate authority with tlsCAFile',
      );
  }
  // In seconds: one node of a cluster that is silent must not keep the client from the others.
  const isCluster = /^[^:]*\+discover:|,/.test(renamed.split('?')[0]!);
  if (!isCluster || /[?&]gossip[_-]?timeout=/i.test(renamed)) return renamed;
  return `${renamed}${renamed.includes('?') ? '&' : '?'}gossipTimeout=1`;
}

/** The nodes of the string, for messages. */
export function hostsOf(url: string): string {
  return url.replace(/^[^:]*:\/\/(?:[^@]*@)?/, '').split(/[/?]/)[0]!;
}

const DEFAULT_PORT = 2113;

/** The first node of the string. */
export function firstHost(url: string): { readonly host: string; readonly port: number } {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:,]*)(?::(\d+))?/.exec(hostsOf(url)) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? DEFAULT_PORT) };
}

/** Whether the string asks for connections without TLS. */
export function isPlain(url: string): boolean {
  return /[?&]tls=false(?:&|$)/i.test(url);
}
