/** Columns of the rows that several parts of a floor write. */
export const EVENT = ['agent_id', 'key', 'occurred_at', 'conversation_id', 'completion_id', 'data']
export const CHANGE = ['agent_id', 'conversation_id', 'at', 'changes']
export const COUNTER = ['agent_id', 'day', 'name', 'quarter', 'shard', 'count']
/** The end of an insert of counters. */
export const ADDED_UP = `on conflict (${COUNTER.slice(0, 5)}) do update set count = count + excluded.count`
