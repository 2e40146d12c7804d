import type { Bound } from '../../contracts/bound';

/** What strangers can use up of a program, beside what belongs to one functional group. */
export const SHARED_BOUNDS: readonly Bound[] = [
  {
    of: 'connections of a process',
    owner: 'all callers',
    max: '`MAX_CONNECTIONS`',
    share: '`MAX_CONNECTIONS_PER_CALLER`; a proxy may have all',
    note: 'A proxy has to limit its own callers.',
    beyond:
      'closed at once, and counted in `tidemark_http_connections_refused_total`; a caller with fewer gets a place of the one with most',
    attack: {
      file: 'services/http/open-connections.test.ts',
      test: 'one address has its share of connections, with heads that never end, while another is served',
    },
  },
  {
    of: 'bytes of request heads and trailers that are not complete yet, with 12 KiB for each',
    owner: 'all callers',
    max: '64 MiB, each head for 10 seconds',
    share: '16 MiB; a proxy may have all',
    beyond: 'the connections with most are closed, and counted as above',
    attack: {
      file: 'services/http/unfinished.test.ts',
      test: 'heads of one address that never end are bounded together, while another begins its own and is served',
    },
  },
  {
    of: 'bytes of request bodies that are not complete yet, with 10 KiB for each request',
    owner: 'who sends them; above all callers with a token',
    max: '64 MiB, each request for 30 seconds',
    share: '16 MiB',
    beyond:
      '503 `bodies_exhausted` for the newest of the caller with most, and for those with a token only once nobody else has any',
    note: 'A compressed body counts with twice what it is decompressed to.',
    attack: {
      file: 'services/http/incomplete-bodies.test.ts',
      test: 'bodies of one address that never end are bounded together, while another sends a large one and is served',
    },
  },
  {
    of: 'reads that wait for `X-Min-Position`',
    owner: 'all callers',
    max: '`MAX_POSITION_READS`',
    share: 'a quarter',
    beyond: '503 `not_ready`; a caller with fewer gets a place of the one with most',
    attack: {
      file: 'services/http/position-reads.test.ts',
      test: 'one caller waits in a quarter of the places, and another caller gets one while it does',
    },
  },
  {
    of: 'event streams and WebSockets',
    owner: 'all callers',
    max: '`MAX_STREAMS`',
    share: '`MAX_STREAMS_PER_CALLER`',
    beyond:
      '503 `connections_exhausted`, or closed with it; 429 `too_many_connections` for a caller that has its share; a caller with fewer gets a place of the one with most',
    note: 'A stream of the bridge counts once for each 100 clients.',
    attack: {
      file: 'services/http/websocket.test.ts',
      test: 'are taken back, the newest of the caller with most, for a caller without any',
    },
  },
  {
    of: 'reads that wait for data that is not known yet',
    owner: 'all callers',
    max: '`MAX_WAITING_READS`, each for `LIST_WAIT_SECONDS` at most',
    share: 'a quarter',
    beyond: 'answered at once; a caller with fewer gets a place of the one with most',
    note: 'Reads of what is the same for everybody, such as prices, have a quarter together, of which each thing that is read has a quarter.',
    attack: {
      file: 'services/read-until.test.ts',
      test: 'a caller waits in a quarter of the places, whatever it asks for, and an honest read is served',
    },
  },
  {
    of: 'reads of a source that wait for their turn, of each source and network',
    owner: 'all callers',
    max: '1,000',
    share: 'callers take turns, each with its oldest read; what several wait for comes with the first turn',
    beyond: '503 `not_ready` for the newest of the caller with most',
    attack: {
      file: 'indexers/observations/source-limits.test.ts',
      test: 'of too many reads those of the caller with most are refused, the newest first',
    },
  },
  {
    of: 'accounts whose history waits for its turn in a process, of each network',
    owner: 'who was the first to read an account',
    max: '1,000 whose first page is read, eight at a time, and 1,000 with older ones',
    share: 'callers take turns, each with its oldest account',
    beyond:
      'read later: the newest account of the caller with most, after 15 seconds or more, 10 minutes at most',
    note: 'Queues of jobs know no callers: a process takes out all that may wait and runs, so that whose turn it is finds its account among them. Of several processes some may have nothing to read while others hold these; an account that is read for the first time meanwhile goes to one of those that are free.',
    attack: {
      file: 'indexers/backfill-jobs.test.ts',
      test: 'an honest first page is read after one of each stranger, however many accounts they have made up',
    },
  },
  {
    of: 'past transactions that a process reads in a day',
    owner: 'who was the first to read an account',
    max: '`MAX_BACKFILLED_TRANSACTIONS`',
    share: 'a quarter of what the others leave',
    beyond: 'the rest of a history is read the next day; until then its older pages are 503 `not_ready`',
    note: 'The first page of each account is not counted. A transaction takes about 1 kB on disk.',
    attack: {
      file: 'test/ton/backfill-worker.test.ts',
      test: 'the histories that a stranger asks for are read in part, while that of somebody else is read whole',
    },
  },
  {
    of: 'what was read of jettons, NFTs, contracts, accounts, signatures, stakes and documents of tokens',
    owner: 'who reads it',
    max: '`MAX_OBSERVATIONS` of each kind, each for `OBSERVATION_DAYS`',
    share:
      'in a day, a quarter of what the others leave of `RATE_LIMIT_FIRST_READS_PER_DAY`, and of contracts of `RATE_LIMIT_STORED_CONTRACTS_PER_DAY`',
    beyond: 'what was read least recently is removed, and read again when somebody asks for it',
    note: 'What is read while it is stale is read again, so that what is in use stays. For up to a minute there may be more.',
    attack: {
      file: 'test/ton/observations.test.ts',
      test: 'made-up jettons of a stranger push out one another, and not the one that somebody reads',
    },
  },
];
