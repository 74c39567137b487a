import pg from 'pg'

/** A condition on the agent of a statement's own rows: a parameter, or another table's column. */
const BY_PARAMETER = /(?:"?\w+"?\.)?"?\bagent_id"? = (\$\d+)/g
const BY_COLUMN = /(?:"?\w+"?\.)?"?\bagent_id"? = (?:"?\w+"?\.)?"?agent_id"?/g

/**
 * Takes the conditions on the agent out of every statement to PostgreSQL, as if each query had forgotten its own.
 * @returns the statements that lost one, and `end`, which stops this
 */
export function withoutFilters(): { changed: ReadonlySet<string>; end(): void } {
  const changed = new Set<string>()
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...rest: unknown[]) {
    if (typeof first === 'string') return query.call(this, without(first), ...rest)
    const { text, name } = first as { text?: string; name?: string }
    const bare = text === undefined ? text : without(text)
    // A connection keeps the plan of a name.
    return bare === text
      ? query.call(this, first, ...rest)
      : query.call(this, { ...(first as object), text: bare, name: name && `${name}~` }, ...rest)
  } as typeof query as typeof pg.Client.prototype.query

  function without(text: string): string {
    const bare = text.replace(BY_PARAMETER, '$1::bigint is not null').replace(BY_COLUMN, 'true')
    if (bare !== text) changed.add(text)
    return bare
  }

  return {
    changed,
    end() {
      pg.Client.prototype.query = query as typeof pg.Client.prototype.query
    },
  }
}
