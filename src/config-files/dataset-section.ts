import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { parsePart } from '../http/schemas.ts'
import { withValue } from '../lib/value-at.ts'
import { toParts } from '../runs/case.ts'
import { selectCasesPage } from '../runs/case-store.ts'
import { selectDatasetsPage } from '../runs/dataset-store.ts'
import { addCase, changeCase, removeCase, wholeCases } from '../runs/save-case.ts'
import { createDataset, removeDataset } from '../runs/save-dataset.ts'
import { casePatch, newCase, newDataset } from '../runs/schemas.ts'
import { type Item, plain } from './item.ts'
import { allOf } from './saving.ts'
import type { Context, Section } from './section.ts'

const caseOfFile = z
  .custom<Item>()
  .refine((one) => one?.completion_id === undefined, 'completion_id belongs to one installation')
  .pipe(newCase)
const dataset = newDataset.extend({ cases: z.array(caseOfFile).default([]) })

/** Datasets with their cases. Cases have no names: they are matched if they are equal, and the rest in their order. */
export const datasets: Section = {
  title: 'dataset',
  nameOf: ({ name }) => String(name),
  parse(item) {
    const { name, cases } = parsePart(dataset, item)
    return { name, cases: cases.map(shortened) }
  },
  async read({ db, agentId }) {
    const present = await allOf(
      (request) => selectDatasetsPage(db, agentId, request),
      ({ name }) => ({ name }),
    )
    return Promise.all(
      present.map(async ({ id, item }) => {
        const cases = await readCases(db, id)
        return { id, item: { ...item, cases: cases.map(({ item }) => item) } }
      }),
    )
  },
  swap(item, swap) {
    const cases = Array.isArray(item.cases) ? (item.cases as Item[]) : []
    const swapped = cases.map((one, at) => {
      if (!Array.isArray(one?.expectations)) return one
      const expectations = (one.expectations as Item[]).flatMap((expected, place) => {
        if (expected?.kind !== 'evaluator') return [expected]
        const path = ['cases', at, 'expectations', place, 'value']
        const value = swap.evaluator(expected.value, path)
        // What a deleted evaluator was to say is expected no more.
        return value === undefined ? [] : [{ ...expected, value }]
      })
      return withValue(one, ['expectations'], expectations.length > 0 ? expectations : undefined)
    })
    return item.cases === undefined ? item : { ...item, cases: swapped }
  },
  keep(item, present, prune) {
    const { stored } = pair(present.cases as Item[], item.cases as Item[])
    const left = stored.map(({ is, becomes }) => becomes ?? (prune ? null : is))
    const added = (item.cases as Item[]).filter((one) => !stored.some(({ becomes }) => becomes === one))
    return { ...item, cases: [...left.filter((one) => one !== null), ...added] }
  },
  async create(context, item) {
    const { db, agentId, now, by } = context
    const { id } = await createDataset(db, agentId, { name: String(item.name) }, now, by)
    for (const one of item.cases as Item[]) await add(context, id, one)
    return undefined
  },
  async change(context, { id }, item) {
    const cases = item.cases as Item[]
    const present = await readCases(context.db, id)
    const { stored } = pair(
      present.map(({ item }) => item),
      cases,
    )
    for (const [at, { is, becomes }] of stored.entries()) {
      const caseId = String(present[at]?.id)
      const { agentId, now, by } = context
      if (becomes === null) await removeCase(context, agentId, String(id), caseId, now, by)
      else if (is !== becomes && !isDeepStrictEqual(is, becomes)) {
        const patch = parsePart(casePatch, { tags: {}, expectations: [], tool_results: [], ...becomes })
        await changeCase(context, agentId, String(id), caseId, patch, now, by)
      }
    }
    for (const one of cases) if (!stored.some(({ becomes }) => becomes === one)) await add(context, id, one)
    return undefined
  },
  remove: ({ db, agentId, now, by }, id) => removeDataset(db, agentId, String(id), now, by),
}

/** Finds what each stored case becomes: null when no case of the file is left for it. */
function pair(present: Item[], cases: Item[]): { stored: { is: Item; becomes: Item | null }[] } {
  const left = [...cases]
  const take = (found: number) => (found < 0 ? null : (left.splice(found, 1)[0] ?? null))
  const equal = present.map((is) => ({
    is,
    becomes: take(left.findIndex((one) => isDeepStrictEqual(one, is))),
  }))
  return {
    stored: equal.map(({ is, becomes }) => ({ is, becomes: becomes ?? take(left.length > 0 ? 0 : -1) })),
  }
}

async function readCases(db: Context['db'], datasetId: number) {
  const { rows } = await selectCasesPage(db, datasetId, { page: 1, per_page: 10_000 })
  return (await wholeCases(db, rows)).map(({ row, texts }) => {
    const { messages, customer, expectations, tool_results } = toParts(texts)
    const said = customer ? { customer } : { messages }
    return {
      id: row.id,
      item: shortened({ ...said, tags: JSON.parse(row.tags), expectations, tool_results }),
    }
  })
}

/** Leaves out of a case what is empty. */
function shortened(one: object): Item {
  const fields = Object.entries(plain(one)).filter(([, value]) => Object.keys(value ?? {}).length > 0)
  return Object.fromEntries(fields)
}

async function add(context: Context, datasetId: number, one: Item): Promise<void> {
  const { agentId, by, now } = context
  const caller = { agentId, teamId: by.teamId, right: 'own' } as const
  await addCase(context, caller, String(datasetId), parsePart(newCase, one), now, by)
}
