import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The answers of an API by method and path, such as `GET /users/{text}`. */
export type Answers = Record<string, z.ZodType>

/** A path with any number and any text in the places of `{number}` and `{text}`. */
type Filled<Path> = Path extends `${infer Start}{${infer Part}}${infer End}`
  ? `${Start}${Part extends 'number' ? number : string}${Filled<End>}`
  : Path

/** The paths of the calls with a method. */
export type PathOf<All extends Answers, M extends Method> = {
  [Call in keyof All]: Call extends `${M} ${infer Path}` ? Filled<Path> : never
}[keyof All]

/** The answer to a call. */
export type AnswerTo<All extends Answers, M extends Method, Path> = {
  [Call in keyof All]: Call extends `${M} ${infer Known}`
    ? IfSame<Path, Filled<Known>, z.output<All[Call]>>
    : never
}[keyof All]

/**
 * `Then` if two paths are the same type, otherwise `never`. Assignability in one direction is not enough:
 * `/users/${string}/erasures` is also assignable to `/users/${string}`.
 */
type IfSame<A, B, Then> = A extends B ? (B extends A ? Then : never) : never
