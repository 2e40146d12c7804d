import { PARTS } from '../../../../contracts/bound';
import { IDS_PER_MS, MAX_PAGE_BYTES, MAX_TTL_MS } from '../validation';

/*
 * Three keys per recipient, which expire with its last message:
 *   ids       sorted set: id, scored by itself
 *   expiry    sorted set: `<id> <size> <digest>`, and ` <source>` where there is one, scored by its time of expiry
 *   messages  hash: id to `[expiresAt, from, body, headers]`, `#<digest>` to id, `bytes` to the sum of sizes, `n@<source>` to the
 *             number of messages of a source and `b@<source>` to their bytes
 * Two keys for all recipients together, since the keys of one may expire before a script has removed its messages:
 *   stored    hash: `all` to the bytes of all messages, `@<source>` to those of a source
 *   expiry    sorted set: `<id> <bytes> <source>`, scored by its time of expiry
 * A script is atomic, so ids become visible, and messages are published, in their order.
 */

const CLOCK = `
  local function clock(given)
    if given ~= '' then return tonumber(given) end
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local function whole(number) return string.format('%.0f', number) end`;

const REMOVE_EXPIRED = `
  local function removeExpired(ids, expiry, messages, now)
    local expired = redis.call('ZRANGEBYSCORE', expiry, '-inf', now)
    if #expired == 0 then return end
    if #expired == redis.call('ZCARD', expiry) then return redis.call('DEL', ids, expiry, messages) end
    for _, entry in ipairs(expired) do
      local id, size, digest, source = entry:match('^(%d+) (%d+) (%S+) ?(%S*)$')
      redis.call('ZREM', ids, id)
      redis.call('HDEL', messages, id, '#' .. digest)
      redis.call('HINCRBY', messages, 'bytes', -size)
      if source ~= '' then
        redis.call('HINCRBY', messages, 'b@' .. source, -size)
        if redis.call('HINCRBY', messages, 'n@' .. source, -1) == 0 then
          redis.call('HDEL', messages, 'n@' .. source, 'b@' .. source)
        end
      end
    end
    redis.call('ZREMRANGEBYSCORE', expiry, '-inf', now)
  end`;

/** So many of all recipients at a time. */
const MAX_RELEASED = 1_000;

const RELEASE_EXPIRED = `
  local function releaseExpired(stored, allExpiry, now)
    for _, entry in ipairs(redis.call('ZRANGEBYSCORE', allExpiry, '-inf', now, 'LIMIT', 0, ${MAX_RELEASED})) do
      local bytes, source = entry:match('^%d+ (%d+) (%S*)$')
      redis.call('HINCRBY', stored, 'all', -bytes)
      if source ~= '' and redis.call('HINCRBY', stored, '@' .. source, -bytes) <= 0 then
        redis.call('HDEL', stored, '@' .. source)
      end
      redis.call('ZREM', allExpiry, entry)
    end
  end`;

/**
 * KEYS: last id, ids, expiry, messages, those of all. ARGV: channel, digest, `from, body, headers]`, size, bytes in all, ttl,
 * limit of messages, limit of bytes, limit of bytes in all, source or '', the greatest id this process has seen, now or ''. Publishes `<id>[expiresAt, from, body, headers]`.
 * Returns ['new' | 'duplicate', id] or ['full', time of the first expiry].
 */
export const POST = `${CLOCK}${REMOVE_EXPIRED}${RELEASE_EXPIRED}
  local lastId, ids, expiry, messages, stored, allExpiry = unpack(KEYS)
  local channel, digest, content, size, storedBytes, ttl, maxMessages, maxBytes, maxTotal, source, maxSeenId, given = unpack(ARGV)
  local now = clock(given)
  removeExpired(ids, expiry, messages, whole(now))
  releaseExpired(stored, allExpiry, whole(now))
  local existing, usedBytes, ownCount, ownBytes =
    unpack(redis.call('HMGET', messages, '#' .. digest, 'bytes', 'n@' .. source, 'b@' .. source))
  if existing then return { 'duplicate', existing } end
  local count = redis.call('ZCARD', ids)
  local bytes = (usedBytes or 0) + size
  local full = count >= tonumber(maxMessages) or bytes > tonumber(maxBytes)
  local own = (ownBytes or 0) + size
  if ownCount then
    full = full or ${PARTS} * (ownCount + 1) > maxMessages - count + ownCount or ${PARTS} * own > maxBytes - bytes + own
  end
  if full then
    return { 'full', redis.call('ZRANGE', expiry, 0, 0, 'WITHSCORES')[2] }
  end
  local usedTotal, ownUsedTotal = unpack(redis.call('HMGET', stored, 'all', '@' .. source))
  local total = (usedTotal or 0) + storedBytes
  local ownTotal = (ownUsedTotal or 0) + storedBytes
  full = total > tonumber(maxTotal) or ownUsedTotal and ${PARTS} * ownTotal > maxTotal - total + ownTotal
  if full then
    return { 'full', redis.call('ZRANGE', allExpiry, 0, 0, 'WITHSCORES')[2] }
  end
  local before = math.max(tonumber(redis.call('GET', lastId) or 0), tonumber(maxSeenId))
  local id = whole(math.max(before + 1, now * ${IDS_PER_MS}))
  local expiresAt = whole(now + ttl)
  redis.call('SET', lastId, id)
  redis.call('ZADD', ids, id, id)
  redis.call('ZADD', expiry, expiresAt, id .. ' ' .. size .. ' ' .. digest .. (source ~= '' and ' ' .. source or ''))
  redis.call('ZADD', allExpiry, expiresAt, id .. ' ' .. storedBytes .. ' ' .. source)
  local message = { id, '[' .. expiresAt .. ',' .. content, '#' .. digest, id, 'bytes', whole(bytes) }
  if source == '' then
    redis.call('HSET', stored, 'all', whole(total))
    redis.call('HSET', messages, unpack(message))
  else
    redis.call('HSET', stored, 'all', whole(total), '@' .. source, whole(ownTotal))
    redis.call('HSET', messages, 'n@' .. source, whole((ownCount or 0) + 1), 'b@' .. source, whole(own), unpack(message))
  end
  for _, key in ipairs({ stored, allExpiry }) do redis.call('PEXPIRE', key, ${MAX_TTL_MS}) end
  local remaining = whole(redis.call('ZRANGE', expiry, -1, -1, 'WITHSCORES')[2] - now)
  for _, key in ipairs({ ids, expiry, messages }) do redis.call('PEXPIRE', key, remaining) end
  redis.call('PUBLISH', channel, id .. '[' .. expiresAt .. ',' .. content)
  return { 'new', id }`;

/**
 * KEYS: ids, expiry, messages of each recipient. ARGV: after, limit, now or ''.
 * Returns 1 when others follow, else 0; then for each message: number of its recipient, from 1; id; `[expiresAt, from, body,
 * headers]`.
 */
export const READ = `${CLOCK}${REMOVE_EXPIRED}
  local after, limit, given = unpack(ARGV)
  local now = whole(clock(given))
  local found = {}
  for key = 1, #KEYS, 3 do
    removeExpired(KEYS[key], KEYS[key + 1], KEYS[key + 2], now)
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[key], '(' .. after, '+inf', 'LIMIT', 0, limit)) do
      found[#found + 1] = { tonumber(id), id, key }
    end
  end
  table.sort(found, function(a, b) return a[1] < b[1] end)
  local reply = { 0 }
  local bytes = 0
  for n = 1, math.min(#found, tonumber(limit)) do
    if bytes >= ${MAX_PAGE_BYTES} then
      reply[1] = 1
      break
    end
    local _, id, key = unpack(found[n])
    local stored = redis.call('HGET', KEYS[key + 2], id)
    bytes = bytes + #stored
    reply[3 * n - 1] = (key + 2) / 3
    reply[3 * n] = id
    reply[3 * n + 1] = stored
  end
  if #found >= tonumber(limit) then reply[1] = 1 end
  return reply`;
