import { COLUMNS } from './event-rows';

type Direction = 'forwards' | 'backwards';

const ORDER = { forwards: 'ASC', backwards: 'DESC' } as const;
const BEYOND = { forwards: '>', backwards: '<' } as const;

/** Parameters: stream name, first revision, row limit. */
export function readStreamSql(direction: Direction): string {
  return `SELECT ${COLUMNS} FROM streams AS s CROSS JOIN events AS e ON e.stream = s.id
   WHERE s.name = ?1 AND e.revision ${BEYOND[direction]}= ?2 ORDER BY e.revision ${ORDER[direction]} LIMIT ?3`;
}

/** Parameters: position to continue from (exclusive), highest position, row limit. */
export function readAllSql(direction: Direction): string {
  return `SELECT ${COLUMNS} FROM events AS e CROSS JOIN streams AS s ON s.id = e.stream
   WHERE e.position ${BEYOND[direction]} ?1 AND e.position <= ?2 ORDER BY e.position ${ORDER[direction]} LIMIT ?3`;
}

/**
 * Parameters: as for `readAllSql`, then the categories. One index search per category, merged in order: events of other
 * categories are not read.
 */
export function readCategoriesSql(direction: Direction, categories: number): string {
  const search = (index: number): string =>
    `SELECT position FROM events WHERE category = (SELECT id FROM categories WHERE name = ?${index + 4})
     AND position ${BEYOND[direction]} ?1 AND position <= ?2`;
  const union = Array.from({ length: categories }, (_, index) => search(index)).join(' UNION ALL ');
  return `SELECT ${COLUMNS} FROM (${union} ORDER BY position ${ORDER[direction]} LIMIT ?3) AS found
   CROSS JOIN events AS e ON e.position = found.position CROSS JOIN streams AS s ON s.id = e.stream`;
}

export const HEAD_SQL = 'SELECT max(position) FROM events';
