import { IDS_PER_MILLISECOND } from '../rules';

/*
 * Three keys for a recipient, which are gone by themselves with the last message:
 *   ids    sorted set: id, by itself
 *   ends   sorted set: `<id> <size> <digest>`, by the time it expires
 *   mail   hash: id to `[expires, from, body, headers]`, `#<digest>` to id, `bytes` to the sum of sizes
 * A script is one step for everybody else, so that ids appear in their order.
 */

const CLOCK = `
  local function clock(given)
    if given ~= '' then return tonumber(given) end
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local function whole(number) return string.format('%.0f', number) end`;

const SWEEP = `
  local function sweep(ids, ends, mail, now)
    local over = redis.call('ZRANGEBYSCORE', ends, '-inf', now)
    if #over == 0 then return end
    if #over == redis.call('ZCARD', ends) then return redis.call('DEL', ids, ends, mail) end
    for _, entry in ipairs(over) do
      local id, size, digest = entry:match('^(%d+) (%d+) (.+)$')
      redis.call('ZREM', ids, id)
      redis.call('HDEL', mail, id, '#' .. digest)
      redis.call('HINCRBY', mail, 'bytes', -size)
    end
    redis.call('ZREMRANGEBYSCORE', ends, '-inf', now)
  end`;

/**
 * KEYS: last id, ids, ends, mail. ARGV: channel, digest, `from, body, headers]`, size, ttl, most messages, most bytes,
 * the greatest id the process has seen, now or ''.
 * Answers ['fresh' | 'known', id] or ['full', time of the first expiry].
 */
export const POST = `${CLOCK}${SWEEP}
  local last, ids, ends, mail = unpack(KEYS)
  local channel, digest, rest, size, ttl, messages, bytes, seen, given = unpack(ARGV)
  local now = clock(given)
  sweep(ids, ends, mail, whole(now))
  local known = redis.call('HGET', mail, '#' .. digest)
  if known then return { 'known', known } end
  local sum = tonumber(redis.call('HGET', mail, 'bytes') or 0) + size
  if redis.call('ZCARD', ids) >= tonumber(messages) or sum > tonumber(bytes) then
    return { 'full', redis.call('ZRANGE', ends, 0, 0, 'WITHSCORES')[2] }
  end
  local before = math.max(tonumber(redis.call('GET', last) or 0), tonumber(seen))
  local id = whole(math.max(before + 1, now * ${IDS_PER_MILLISECOND}))
  local expires = whole(now + ttl)
  redis.call('SET', last, id)
  redis.call('ZADD', ids, id, id)
  redis.call('ZADD', ends, expires, id .. ' ' .. size .. ' ' .. digest)
  redis.call('HSET', mail, id, '[' .. expires .. ',' .. rest, '#' .. digest, id, 'bytes', whole(sum))
  local remaining = whole(redis.call('ZRANGE', ends, -1, -1, 'WITHSCORES')[2] - now)
  for _, key in ipairs({ ids, ends, mail }) do redis.call('PEXPIRE', key, remaining) end
  redis.call('PUBLISH', channel, '')
  return { 'fresh', id }`;

/**
 * KEYS: ids, ends, mail of each recipient. ARGV: after, limit, now or ''.
 * Answers for each message: which recipient, from 1; id; `[expires, from, body, headers]`.
 */
export const READ = `${CLOCK}${SWEEP}
  local after, limit, given = unpack(ARGV)
  local now = whole(clock(given))
  local found = {}
  for box = 1, #KEYS, 3 do
    sweep(KEYS[box], KEYS[box + 1], KEYS[box + 2], now)
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[box], '(' .. after, '+inf', 'LIMIT', 0, limit)) do
      found[#found + 1] = { tonumber(id), id, box }
    end
  end
  table.sort(found, function(a, b) return a[1] < b[1] end)
  local answer = {}
  for n = 1, math.min(#found, tonumber(limit)) do
    local _, id, box = unpack(found[n])
    answer[3 * n - 2] = (box + 2) / 3
    answer[3 * n - 1] = id
    answer[3 * n] = redis.call('HGET', KEYS[box + 2], id)
  end
  return answer`;
