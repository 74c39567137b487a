import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The calls of an API by method and path, such as `GET /users/{text}`. */
export type Calls = Record<string, { query?: z.ZodType; body?: z.ZodType; answer?: z.ZodType }>

/** A path with any number and any text in the places of `{number}` and `{text}`. */
type Filled<Path> = Path extends `${infer Start}{${infer Part}}${infer End}`
  ? `${Start}${Part extends 'number' ? number : string}${Filled<End>}`
  : Path

/** The paths of the calls with a method. */
export type PathOf<All extends Calls, M extends Method> = {
  [Name in keyof All]: Name extends `${M} ${infer Path}` ? Filled<Path> : never
}[keyof All]

/** The call with a method and a path. */
type CallAt<All extends Calls, M extends Method, Path> = {
  [Name in keyof All]: Name extends `${M} ${infer Known}` ? IfSame<Path, Filled<Known>, All[Name]> : never
}[keyof All]

/** The answer to a call; unknown where the console does not read it. */
export type AnswerTo<All extends Calls, M extends Method, Path> = AnswerOf<CallAt<All, M, Path>>
type AnswerOf<Call> = Call extends { answer: infer Answer extends z.ZodType } ? z.output<Answer> : unknown

/** The query of a call, whose values are written as text; without names for one that takes none. */
export type QueryOf<All extends Calls, M extends Method, Path> = AskedBy<CallAt<All, M, Path>>
type AskedBy<Call> = Call extends { query: infer Query extends z.ZodType }
  ? { [Name in keyof z.input<Query>]?: QueryValue }
  : Record<never, never>
export type QueryValue = string | number | boolean | null | undefined

/** The body of a call; undefined for one that takes none. */
export type BodyOf<All extends Calls, M extends Method, Path> = TakenBy<CallAt<All, M, Path>>
type TakenBy<Call> = Call extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined

/**
 * A query or a body without fields that the call does not know, which the compiler by itself finds only in literals. Of
 * a union, only the fields that all its members have are looked at.
 */
export type Exactly<Body, Given> = Body & {
  [Name in keyof Given]: Name extends NameIn<Body> ? unknown : never
}
type NameIn<Type> = Type extends unknown ? keyof Type : never

/**
 * `Then` if two paths are the same type, otherwise `never`. Assignability in one direction is not enough:
 * `/users/${string}/erasures` is also assignable to `/users/${string}`.
 */
type IfSame<A, B, Then> = A extends B ? (B extends A ? Then : never) : never
