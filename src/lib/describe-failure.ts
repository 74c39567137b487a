/** The parts of a failure that a log may hold. */
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
 * Classes of SQLSTATE whose messages name no values: connections, transactions, authorization, resources, limits,
 * states, operator intervention, the system, and our own statements (PostgreSQL, appendix A). Messages about data and
 * constraints name values.
 */
const WITHOUT_VALUES = /^(08|0A|0L|25|26|28|34|3B|3D|3F|40|42|53|54|55|57|58|F0|XX)[0-9A-Z]{3}$/
/** Messages of the PostgreSQL client itself, which have no code. */
const OF_THE_CLIENT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end)/

/**
 * Describes a failure for an operator: always its code, its message only where that can hold no text and no secret. An
 * error of ours says so itself: it has a sentence `forOperator`.
 */
export function describeFailure(error: unknown): FailureDescription {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code, errcode, errstr, syscall, severity, forOperator } = error as Error & Record<string, unknown>
  const message =
    [errstr, forOperator].find((words) => typeof words === 'string') ??
    (typeof syscall === 'string' ||
    (typeof severity === 'string' && WITHOUT_VALUES.test(String(code))) ||
    OF_THE_CLIENT.test(error.message)
      ? error.message
      : undefined)
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof errcode === 'number' ? { errcode } : {}),
    ...(message === undefined ? {} : { message }),
    ...(error.cause instanceof Error ? { cause: describeFailure(error.cause) } : {}),
  }
}
