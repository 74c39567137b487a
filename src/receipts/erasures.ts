import { createHmac, createPublicKey, type KeyObject } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor } from '../audit/record.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { uuidv7 } from '../lib/ids.ts'
import { backupsBefore } from '../storage/backups.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { addErased, type Erased, NOTHING } from './erased.ts'
import { RECEIPT_TYPE, type Receipt, signReceipt } from './receipt.ts'
import { finishErasure, openErasure, readOpenErasure, writeErased } from './store.ts'
import { commitmentTo, readSubject, type Subject, subjectText } from './subject.ts'
import type { ErasureRow } from './tables.ts'

/** An erasure: of what, of which agent and how. */
export interface Erasure {
  teamId: number
  agentId: number
  subject: Subject
  mode: ErasureRow['mode']
}

/** Keeps account of erasures, and signs a receipt when one is complete. */
export interface Erasures {
  /**
   * Adds to the account of an erasure, in the transaction that erases; returns its id. An erasure takes as many
   * transactions and calls as it needs: each adds to the account that is open, whichever process opened it.
   */
  add(db: Kysely<Tables>, erasure: Erasure, erased: Erased, by: Actor): Promise<string>
  /**
   * Signs the receipt of an erasure that left nothing over, after its last transaction. If the process dies before, the
   * next call of the same erasure signs it.
   */
  finish(erasure: Erasure): Promise<void>
  /** Returns the key by which the end user that `source:id` names is hashed in receipts. */
  subjectKey(agentId: number, named: string): string
  /** The key that verifies receipts. */
  publicKey: KeyObject
}

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'name' | 'guarantees' | 'eraseOverwritten'>
  clock: Clock
  /** The installation's private key. */
  key: KeyObject
  /** The secret from which subject keys are made. */
  subjects: string
}

export function keepErasures({ db, engine, clock, key, subjects }: Dependencies): Erasures {
  return {
    async add(db, erasure, erased, by) {
      const name = nameOf(erasure)
      const now = clock()
      const opened = {
        ...name,
        id: uuidv7(now),
        team_id: erasure.teamId,
        began_at: timestamp(now),
        actor_kind: by.kind,
        actor_id: by.id,
        erased: JSON.stringify(NOTHING),
      }
      let row: ErasureRow | undefined
      // The open erasure may be finished before it is read.
      do {
        await openErasure(db, opened)
        row = await readOpenErasure(db, name, true)
      } while (row === undefined)
      await writeErased(db, row.id, JSON.stringify(addErased(JSON.parse(row.erased) as Erased, erased)))
      return row.id
    },

    async finish(erasure) {
      for (;;) {
        const row = await readOpenErasure(db, nameOf(erasure), false)
        if (!row) return
        // All that the account tells of is committed; now it leaves the files, before anybody signs that it has.
        await engine.eraseOverwritten()
        const at = timestamp(clock())
        const receipt = await receiptOf(row, at)
        const signed = JSON.stringify(signReceipt(receipt, key))
        if (await finishErasure(db, row, { finished_at: at, signed })) return
      }
    },

    subjectKey: (agentId, named) =>
      createHmac('sha256', subjects).update(`${agentId}|${named}`).digest('hex'),
    publicKey: createPublicKey(key),
  }

  async function receiptOf(row: ErasureRow, finished_at: string): Promise<Receipt> {
    return {
      type: RECEIPT_TYPE,
      id: row.id,
      agent_id: row.agent_id,
      subject: readSubject(row.subject),
      mode: row.mode,
      by: { kind: row.actor_kind, id: row.actor_id },
      began_at: row.began_at,
      finished_at,
      erased: JSON.parse(row.erased) as Erased,
      engine: { name: engine.name, guarantees: [...engine.guarantees] },
      backups: await backupsBefore(db, finished_at),
    }
  }
}

/** Returns an end user as the subject of an erasure. @param named `source:id` */
export function userSubject(erasures: Pick<Erasures, 'subjectKey'>, agentId: number, named: string): Subject {
  return { kind: 'user', commitment: commitmentTo(named, erasures.subjectKey(agentId, named)) }
}

/** Returns the erasure of a deleted agent. */
export function agentErasure(teamId: number, agentId: number): Erasure {
  return { teamId, agentId, subject: { kind: 'agent' }, mode: 'delete' }
}

function nameOf({ agentId, subject, mode }: Erasure) {
  return { agent_id: agentId, subject: subjectText(subject), mode }
}
