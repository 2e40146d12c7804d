import { shareOf } from '../../../contracts/bound';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_FIRST_PAGE_PLACES,
  MAX_PLACES,
} from '../../../contracts/ports/connection-origins';

/*
 * For each client
 *   <client>          sorted set: `<origin> <network> <number in the order of first uses>`, scored by its last use; and an empty
 *                     member, scored by when there was no room for another one
 * For all clients together
 *   used              sorted set: client, scored by its last use
 *   first             hash: client to the network of its first page
 *   named             sorted set: network, scored by the number of its clients
 *   <named>:<network> sorted set: client of the network, scored by its last use
 *   forgotten         when the only client of a network had to make room
 * All of them expire once nothing has been stored for as long as it would be remembered.
 */

const CLOCK = `
  local now = tonumber(ARGV[1])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local unusedSince = now - ${CONNECTION_REMEMBERED_MS}`;

const REMOVE_UNUSED = `${CLOCK}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', unusedSince)`;

/** Expired clients that are forgotten at a time: more than one is stored. */
const MAX_EXPIRED = 10;

const CLIENTS = `
  local used, first, named, forgotten = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
  local function ofNetwork(network) return named .. ':' .. network end
  local function count(network)
    local clients = redis.call('ZCARD', ofNetwork(network))
    if clients > 0 then redis.call('ZADD', named, clients, network) else redis.call('ZREM', named, network) end
  end
  local function release(client)
    local network = redis.call('HGET', first, client)
    if not network then return end
    redis.call('HDEL', first, client)
    redis.call('ZREM', ofNetwork(network), client)
    count(network)
  end
  local function forget(client)
    release(client)
    redis.call('ZREM', used, client)
    redis.call('DEL', prefix .. client)
  end
  local function leastRecent(key) return redis.call('ZRANGE', key, 0, 0)[1] end`;

/**
 * KEYS: of the client; used, first, named, forgotten. ARGV: now or '', origin, network, client, prefix of clients,
 * clients in all, and of one network.
 */
export const STORE = `${REMOVE_UNUSED}
  local origin, network, client, prefix, maxClients, share =
    ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
  ${CLIENTS}
  for _, expired in ipairs(redis.call('ZRANGEBYSCORE', used, '-inf', unusedSince, 'LIMIT', 0, ${MAX_EXPIRED})) do
    forget(expired)
  end

  local places, counts, most = {}, {}, 0
  for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local page, of, number = member:match('^(%S+) (%S+) ?(%d*)$')
    if page then
      table.insert(places, { member = member, origin = page, network = of, number = tonumber(number) or 0 })
      counts[of] = (counts[of] or 0) + 1
      most = math.max(most, counts[of])
    end
  end
  table.sort(places, function(a, b) return a.number < b.number end)

  local isFirstPage = #places > 0 and places[1].origin == origin
  local own, ofPage, member, newest = counts[network] or 0, 0, nil, nil
  for _, place in ipairs(places) do
    if place.origin == origin then
      ofPage = ofPage + 1
      if place.network == network then member = place.member end
    end
    if counts[place.network] == most then newest = place end
  end
  local isKnown = member or own >= ${shareOf(MAX_PLACES)} or (isFirstPage and ofPage >= ${MAX_FIRST_PAGE_PLACES})
  if not isKnown then
    local number = #places > 0 and places[#places].number + 1 or 1
    if #places < ${MAX_PLACES} or most > own + 1 then member = origin .. ' ' .. network .. ' ' .. number end
    if #places >= ${MAX_PLACES} and member then redis.call('ZREM', KEYS[1], newest.member) end
    if not member and own == 0 and not isFirstPage then member = '' end
  end

  local owner = #places > 0 and places[1].network or network
  local isNew = not redis.call('ZSCORE', used, client)
  local forgottenAt = isNew and tonumber(redis.call('GET', forgotten) or '')
  release(client)
  local others = redis.call('ZCARD', ofNetwork(owner))
  if others >= share then
    forget(leastRecent(ofNetwork(owner)))
  elseif isNew and redis.call('ZCARD', used) >= maxClients then
    local heaviest, clients = unpack(redis.call('ZREVRANGE', named, 0, 0, 'WITHSCORES'))
    clients = tonumber(clients) or 0
    if others + 1 >= clients then heaviest, clients = owner, others + 1 end
    if clients > 1 then
      forget(leastRecent(ofNetwork(heaviest)))
    else
      forget(leastRecent(used))
      redis.call('SET', forgotten, now, 'PX', ${CONNECTION_REMEMBERED_MS})
    end
  end
  redis.call('HSET', first, client, owner)
  redis.call('ZADD', ofNetwork(owner), now, client)
  count(owner)
  redis.call('ZADD', used, now, client)
  if forgottenAt and forgottenAt > unusedSince then redis.call('ZADD', KEYS[1], forgottenAt, '') end
  if member then redis.call('ZADD', KEYS[1], now, member) end
  for _, key in ipairs({ KEYS[1], used, first, named, ofNetwork(owner) }) do
    redis.call('PEXPIRE', key, ${CONNECTION_REMEMBERED_MS})
  end`;

/** KEYS: of the client. ARGV: now or ''. Returns its members. */
export const READ = `${REMOVE_UNUSED}
  return redis.call('ZRANGE', KEYS[1], 0, -1)`;
