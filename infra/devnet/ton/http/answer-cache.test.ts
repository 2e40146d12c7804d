import { createAnswerCache } from './answer-cache';

it('forgets the least recently used answers once they are too many characters', () => {
  const cache = createAnswerCache(10);
  cache.set('/a', '1234');
  cache.set('/b', '1234');
  cache.get('/a');
  cache.set('/c', '1234');
  expect(['/a', '/b', '/c'].map(url => cache.get(url))).toEqual(['1234', undefined, '1234']);
  cache.set('/d', 'longer than the budget');
  expect(['/a', '/c', '/d'].map(url => cache.get(url))).toEqual([undefined, undefined, undefined]);
});

it('counts an answer that is set again once', () => {
  const cache = createAnswerCache(10);
  for (let i = 0; i < 10; i++) cache.set('/a', '12345');
  cache.set('/b', '12345');
  expect([cache.get('/a'), cache.get('/b')]).toEqual(['12345', '12345']);
});

it('is empty after a clear', () => {
  const cache = createAnswerCache(10);
  cache.set('/a', '1');
  cache.clear();
  expect(cache.get('/a')).toBeUndefined();
});
