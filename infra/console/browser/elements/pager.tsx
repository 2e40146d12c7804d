interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  go(page: number): void;
}

/** To the other pages of a list, where it has any. */
export function Pager({ page, pageSize, total, go }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1 && page === 1) return null;
  return (
    <div class="actions" role="group" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </button>
      <span>
        Page {page} of {pages}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => go(page + 1)}>
        Next
      </button>
    </div>
  );
}
