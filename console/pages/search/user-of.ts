import type { SearchHit } from '../../api/types.ts'

/** Returns the end user of a conversation that was found. */
export function userOf({ user_id, user_name }: SearchHit['conversation']) {
  return user_id === null ? null : { id: user_id, name: user_name }
}
