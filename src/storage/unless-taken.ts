import { ApiError, type ErrorCode } from '../errors.ts'
import type { Engine } from './engine.ts'

type TakenCode = Extract<ErrorCode, `${string}_taken`>

/**
 * Returns what some work returns.
 * @throws ApiError `code` for the field `param` when the work stores a value a second time that must be unique
 */
export async function unlessTaken<T>(
  { isUniqueViolation }: Pick<Engine, 'isUniqueViolation'>,
  code: TakenCode,
  param: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError(code, { param })
    throw error
  }
}
