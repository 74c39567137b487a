import type { AgentRows } from '../storage/erase-rows.ts'

/** The widgets of an agent. */
export const widgetRows: readonly AgentRows[] = [{ table: 'widgets', key: 'id' }]
