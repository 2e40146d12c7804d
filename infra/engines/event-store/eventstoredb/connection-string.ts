/** In words for an operator, without the string itself: it may hold a password. */
export class UnusableConnectionString extends Error {}

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
 * The string in the words the client knows, once it is sure that the client has nothing to say about its options: it
 * would say it on the console, password included.
 * @throws UnusableConnectionString
 */
export function checked(url: string): string {
  const renamed = url.trim().replace(/^(?:kurrentdb|kurrent|kdb)(\+discover)?:/, 'esdb$1:');
  if (!/^esdb(\+discover)?:\/\/[^?]+/.test(renamed))
    throw new UnusableConnectionString(
      'it is not of the form esdb://[user:password@]host:port[,host:port][?tls=false] or esdb+discover://...',
    );
  for (const option of renamed.split('?')[1]?.split('&') ?? []) {
    const [name = '', value] = option.split('=');
    if (!KNOWN.has(plain(name))) throw new UnusableConnectionString(`the client has no option ${name}`);
    if (plain(name) === 'tlsverifycert' && value !== 'true')
      throw new UnusableConnectionString(
        'the client always verifies certificates; give it the authority with tlsCAFile',
      );
  }
  return renamed;
}

/** The nodes it names, for messages. */
export function hostsOf(url: string): string {
  return url.replace(/^[^:]*:\/\/(?:[^@]*@)?/, '').split(/[/?]/)[0]!;
}
