import type { Kysely } from 'kysely'
import type { TeamBy } from '../audit/record.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Path } from '../lib/value-at.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { Item } from './item.ts'

/** The agent that a file is about, and what it takes to read and to change it. */
export interface Context {
  db: Kysely<Tables>
  engine: Engine
  box: SecretBox
  outbound: Outbound
  agentId: number
  by: TeamBy
  nowMs: number
  /** The time as it is stored. */
  now: string
}

/** The place of a secret in an object. */
export interface SecretPlace {
  path: Path
  /** The address to which it is sent, whose origin it belongs to; null for one that is sent nowhere. */
  url: string | object | null
}

/** A stored object, with its secrets. */
export interface Present {
  id: number
  item: Item
}

/** Replaces the ids of other objects by their names, or the other way round. */
export interface Swap {
  readonly toNames: boolean
  evaluator(id: unknown, path: Path): unknown
  channel(id: unknown, path: Path): unknown
}

/** A kind of object in a file, with the functions of its feature that read, compare and change it. */
export interface Section {
  /** The word for one of them. */
  readonly title: string
  /** Returns the name by which an object of a file and a stored one are the same. */
  nameOf(item: Item): string
  /** Checks an object and completes it with its defaults. @throws ApiError */
  parse(item: Item): Item
  /** Reads all of the agent, the oldest first. */
  read(context: Context): Promise<Present[]>
  secrets?(item: Item): SecretPlace[]
  swap?(item: Item, swap: Swap): Item
  /** Returns an object as it will be stored, with those parts of the present one that stay without being in the file. */
  keep?(item: Item, present: Item, prune: boolean): Item
  /** Completes a new, unchecked object with what its platform says; before the transaction, as that may be slow. */
  ask?(context: Omit<Context, 'agentId'>, item: Item): Promise<Item>
  /** @returns the secret that was made for it, which nobody can read again */
  create(context: Context, item: Item): Promise<string | undefined>
  /** @returns the secret that was made for it */
  change(context: Context, present: Present, item: Item): Promise<string | undefined>
  remove(context: Context, id: number): Promise<void>
}
