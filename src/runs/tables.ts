import type { ColumnType, Generated, Selectable } from 'kysely'
import type { WorkColumns } from '../work/work-columns.ts'

/** A set of test cases. */
export interface DatasetsTable {
  id: Generated<number>
  agent_id: number
  name: string
  created_at: string
  updated_at: string
}

/** A test case. Its content is in `case_texts`. */
export interface DatasetCasesTable {
  id: Generated<number>
  agent_id: number
  dataset_id: number
  /** The completion that it was made of; null: none. */
  completion_id: string | null
  /** JSON object: the tags, as if the conversation had them. */
  tags: string
  created_at: string
  updated_at: string
}

/**
 * The texts of a case, and of its copy in a run. Each message, expectation or result of a tool has a row of its own, so
 * that it is redacted with the completion that it comes from.
 */
export interface CaseTextsTable {
  id: Generated<number>
  agent_id: number
  /** The case to which it belongs; null: it belongs to a result. */
  case_id: number | null
  result_id: number | null
  completion_id: string | null
  position: number
  part: 'system' | 'user' | 'assistant' | 'expectation' | 'tool_result' | 'customer'
  /** JSON: the text of a message, or the expectation, result or customer. */
  content: string
}

type RunState = 'queued' | 'running' | 'done' | 'failed'

/** A run of a dataset, with its settings and evaluators. */
export interface TestRunsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  dataset_id: number
  /** The version that the settings are from; null: they are from a patch, or from an agent without versions. */
  version: number | null
  /** JSON: AgentSettings without keys. */
  settings: string
  /** JSON: the agent's evaluators, without secrets. */
  evaluators: string
  state: RunState
  error: string | null
  /** The number of times that each case is run. */
  repeats: Generated<number>
  /** The cost at which the run stops; null: it has no limit. */
  cost_limit: ColumnType<number | null, number | null | undefined, number | null>
  /** JSON of `Documents`: the knowledge when the run began. Null: it has not begun, or is of an older version. */
  documents: ColumnType<string | null, string | null | undefined, string | null>
  /** The number of cases. */
  total: number
  /** The number of answers that have ended, one for each case and repeat; null: a run of an older version. */
  done: ColumnType<number | null, number | null | undefined, number | null>
  /** The number of cases that passed in every repeat. */
  passed: ColumnType<number, number | undefined, number>
  /** The number of cases that failed in a repeat. */
  failed: ColumnType<number, number | undefined, number>
  created_at: string
  started_at: string | null
  finished_at: string | null
  due_at: ColumnType<string | null, string | null | undefined, string | null>
}

/** A case in one repeat of a run. */
export interface TestResultsTable {
  id: Generated<number>
  agent_id: number
  run_id: number
  case_id: number
  /** The number of the repeat, from 1. */
  repeat: Generated<number>
  /** The result of the case in the first repeat, which has the copy of its texts; null: this is it. */
  first_id: ColumnType<number | null, number | null | undefined, number | null>
  tags: string
  state: 'waiting' | 'passed' | 'failed'
  model: string | null
  /** JSON of `Said`; null: the case waits, or its result was redacted. */
  said: string | null
  /** JSON of a list of `Exchange`: what customer and agent said; null: the case has no customer, or it was redacted. */
  dialogue: ColumnType<string | null, string | null | undefined, string | null>
  /** JSON of `Measured`; null: the case waits, or the result is of an older version. */
  measured: ColumnType<string | null, string | null | undefined, string | null>
  ms: number | null
}

export type DatasetRow = Selectable<DatasetsTable>
export type CaseRow = Selectable<DatasetCasesTable>
export type CaseTextRow = Selectable<CaseTextsTable>
export type RunRow = Selectable<TestRunsTable>
export type ResultRow = Selectable<TestResultsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    datasets: DatasetsTable
    dataset_cases: DatasetCasesTable
    case_texts: CaseTextsTable
    test_runs: TestRunsTable
    test_results: TestResultsTable
  }
}
