import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's widgets. */
export const widgetRows: readonly AgentRows[] = [{ table: 'widgets', key: 'id' }]
