/** What a log may say of a failure. */
export interface FailureDescription {
  name: string
  /** An SQLSTATE, a code of the operating system, or one of Node. */
  code?: string
  /** SQLite's result code. */
  errcode?: number
  message?: string
  cause?: FailureDescription
}

/**
 * Classes of SQLSTATE whose messages name no values: connections, transactions, authorization, resources, limits, states,
 * the operator's doing, the system, and our own statements (PostgreSQL, appendix A). Those of data and of constraints do.
 */
const WITHOUT_VALUES = /^(08|0A|0L|25|26|28|34|3B|3D|3F|40|42|53|54|55|57|58|F0|XX)[0-9A-Z]{3}$/
/** What the client of PostgreSQL says of itself, without a code. */
const OF_THE_CLIENT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end)/

/** Tells a failure as an operator needs it: its code always, its words only where they can hold no text and no secret. */
export function describeFailure(error: unknown): FailureDescription {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code, errcode, errstr, syscall, severity } = error as Error & Record<string, unknown>
  const message =
    typeof errstr === 'string'
      ? errstr
      : typeof syscall === 'string' ||
          (typeof severity === 'string' && WITHOUT_VALUES.test(String(code))) ||
          OF_THE_CLIENT.test(error.message)
        ? error.message
        : undefined
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof errcode === 'number' ? { errcode } : {}),
    ...(message === undefined ? {} : { message }),
    ...(error.cause instanceof Error ? { cause: describeFailure(error.cause) } : {}),
  }
}
