import type { Bound } from '../../contracts/bound';
import { MEBIBYTE } from '../config/bytes';
import { UNSENT_LIMITS } from '../../services/http/unsent';
import { MAX_KEYS, MAX_KEYS_OF_DAY } from '../engines/rate-limits/memory';
import { MAX_WAITING_READS } from '../engines/documents/limits/read-semaphore';
import { MAX_KINDS, MAX_KINDS_PER_DAY } from '../../services/audit/tally';
import { MAX_PIPELINED } from '../../services/http/server';
import { MAX_SMALL_PARTS, MIN_PART_BYTES } from '../../services/http/unfinished';
import { FRAMES_MS, MAX_FRAMES } from '../../services/http/websocket/client-limits';
import { MAX_WRITERS } from '../../services/http/position-reads';

/** What strangers can use up of a program, beside what belongs to one functional group. */
export const SHARED_BOUNDS: readonly Bound[] = [
  {
    of: 'counters of quotas in the memory of a process, of one address or key each',
    owner: 'all callers',
    max: `${MAX_KEYS.toLocaleString('en')} of quotas of a minute, and ${MAX_KEYS_OF_DAY.toLocaleString('en')} of each of a day`,
    share: 'no share',
    beyond:
      'the one that was counted least recently begins again; what all callers together may leave in a day is not among these',
    attack: {
      file: 'infra/engines/rate-limits/memory.test.ts',
      test: 'a stranger with any number of addresses neither gets more of what all may have in a day, nor takes it from others',
    },
  },
  {
    of: 'bytes of answers and streams that callers have not read yet',
    owner: 'all callers',
    max: `${UNSENT_LIMITS.total / MEBIBYTE} MiB with 6 KiB for each answer, each for ${UNSENT_LIMITS.drainMs / 1_000} seconds and one for each 4 KiB`,
    share: `${UNSENT_LIMITS.perCaller / MEBIBYTE} MiB`,
    beyond: 'of the caller with most the connection that has waited longest is closed',
    attack: {
      file: 'services/http/unsent.test.ts',
      test: 'of one address is bounded: the connection that waits longest is closed, of no other address',
    },
  },
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
    of: 'what a connection sends at once',
    owner: 'all callers: reading it takes the main thread, of which no turns are taken for that',
    max: `${MAX_PIPELINED} requests that are not answered yet; a body in ${MAX_SMALL_PARTS} parts, and one for each ${MIN_PART_BYTES} bytes; and of a WebSocket ${MAX_FRAMES} messages, pings and pongs in ${FRAMES_MS / 1_000} seconds`,
    share: 'each connection its own',
    beyond:
      'it is closed, and counted as above, or for a WebSocket in `tidemark_http_broken_clients_total`; what else has arrived on it is not looked at',
    attack: {
      file: 'services/http/floods.test.ts',
      test: 'what a connection sends at once, much more than any client does, ends it, while another client is served',
    },
  },
  {
    of: 'requests that a process begins to answer, of those that have arrived',
    owner: 'all callers',
    max: 'as many as take a few milliseconds, eight at most, before it looks at what else there is to do; the rest waits, in 24 MiB with 8 KiB for each',
    share: 'callers take turns, each with its oldest request',
    beyond:
      'the newest of the caller with most is not answered: its connection is closed, and counted as above',
    note: 'While few arrive each is begun at once. With SQLite this includes what an answer reads, which takes the main thread; reads of MongoDB have turns of their own, as below. Connections wait in their order until they are accepted, of all callers alike, and Node accepts one at a time; while some wait, accepting them gets as much time as answering. Beside 800 clients of one address that connected again for each request of 0.7 ms, a new connection of another was answered after 8 to 12 ms, and the slowest of some 430 after 230; when each was accepted after the answer to one before, it took 1.5 seconds.',
    attack: {
      file: 'services/http/request-queue.test.ts',
      test: 'hundreds of requests of one address delay that of another by a few',
    },
  },
  {
    of: 'reads that MongoDB answers at a time, for the callers of a process',
    owner: 'all callers',
    max: `four fifths of \`maxPoolSize\` in \`MONGODB_URL\`: 80, and ${MAX_WAITING_READS.toLocaleString('en')} that wait; the process itself has the other fifth for its own`,
    share:
      'callers take turns, each with its oldest read; a quarter is left to those who have less than that',
    beyond: '503 `not_ready` for the newest of the caller with most',
    attack: {
      file: 'infra/engines/documents/limits/read-semaphore.test.ts',
      test: 'a caller with hundreds of slow reads leaves connections to others, whose reads are answered meanwhile',
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
    of: 'callers with a token whose last change a process remembers, so that their reads include it',
    owner: 'each its own',
    max: MAX_WRITERS.toLocaleString('en'),
    share: 'one each',
    beyond: 'the one who called least recently is forgotten: its reads wait for `X-Min-Position` alone',
    attack: {
      file: 'services/http/position-reads.test.ts',
      test: 'changes of more callers than are remembered take nothing from one that reads meanwhile, nor from one that names its position',
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
      file: 'services/http/websocket/accept.test.ts',
      test: 'are taken back, the newest of the caller with most, for a caller without any',
    },
  },
  {
    of: 'kinds of refused calls that the audit trail tells apart, by caller, action and reason',
    owner: 'callers with a valid token',
    max: `${MAX_KINDS} in a minute of callers with a token, and as many of all others, who have ${MAX_KINDS_PER_DAY.toLocaleString('en')} in a day`,
    share: 'a quarter of what the others leave',
    beyond: 'counted together',
    attack: {
      file: 'services/audit/tally.test.ts',
      test: 'a stranger with any number of addresses in its network has a share of the kinds, and those of others are told apart',
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
      file: 'services/reads/read-until.test.ts',
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
    share:
      'callers take turns, each with its oldest account; a quarter of what is read at a time is left to those who have less than that',
    beyond:
      'read later: the newest account of the caller with most, after 15 seconds or more, 10 minutes at most',
    note: 'Queues of jobs know no callers: a process takes out all that may wait and runs, so that whose turn it is finds its account among them: whatever a stranger has in the queue, the account of somebody else waits for one read in whichever process it comes to. Of several processes some may have nothing to read while others hold these; an account that is read for the first time meanwhile goes to one of those that are free.',
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
  {
    of: 'images of tokens and applications that a process decodes at a time',
    owner: 'all who ask for an image, or for an application',
    max: 'two with up to 16 MiB of pixels, or one with more, of 64 MiB at most; and beside them one with up to 4 MiB',
    share:
      'callers take turns, each with its oldest image; stored applications that are read again have a turn together',
    beyond: 'the image waits; as many wait as tokens and applications are read at a time',
    attack: {
      file: 'indexers/image-preview.test.ts',
      test: 'of one caller delay one of another by one, of whatever size',
    },
  },
  {
    of: 'answers that are computed from documents, and documents of SQLite, in the memory of a process',
    owner: 'all callers',
    max: '64 MiB of answers, and 32 MiB of documents',
    share: 'no share',
    beyond: 'the least recently used is removed, and computed or read again when somebody asks for it',
    attack: {
      file: 'projections/engine/query-cache.test.ts',
      test: 'that is in use stays, whatever a stranger asks for: the least recently used is evicted, and a large one not cached',
    },
  },
];
