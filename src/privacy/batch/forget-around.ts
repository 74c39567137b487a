import type { Kysely } from 'kysely'
import { forgetDrafts } from '../../desk/drafts.ts'
import { forgetContinuations } from '../../mailboxes/continuations.ts'
import { dropParked, type ParkedScope } from '../../mailboxes/drop-parked.ts'
import type { Tables } from '../../storage/tables.ts'
import { forgotten } from '../../texts/text-columns.ts'
import type { TextRow } from '../../texts/text-rows.ts'
import { forgetKeys } from '../../transcripts/conversations/keys.ts'
import { isOfUser } from '../../transcripts/doors/by-filter.ts'
import {
  completionsIn,
  completionsWith,
  conversationsWithoutPrompt,
  type RedactionScope,
} from '../../transcripts/doors/waiting-for-redaction.ts'
import type { PersonKeys } from '../../users/person-store.ts'
import { channelOfSource, readUserKey, type UserKey } from '../../users/user-key.ts'
import type { ForgetCopies, ForgottenRows } from '../forget-copies.ts'
import type { TextRedactor } from '../text-redactor.ts'
import type { BatchTexts } from './read-batch.ts'

/** The redaction that has copies forgotten. */
interface Forgetting {
  agentId: number
  scope: RedactionScope
  redactor: Pick<TextRedactor, 'mode'>
  now: string
}

/** Forgets what others keep of the texts of a batch. Returns the number of rows by table. */
export async function forgetAround(
  db: Kysely<Tables>,
  forgetCopies: ForgetCopies,
  { agentId, scope, redactor: { mode }, now }: Forgetting,
  { messages, strays, completionIds }: BatchTexts,
): Promise<ForgottenRows> {
  const isAsked = !('before' in scope)
  // Not all that are old: a completion whose last message is young waits for it, while people go on in its conversation.
  const completions = isAsked ? completionsIn(db, agentId, scope) : completionsWith(db, completionIds)
  const conversationIds =
    'person' in scope
      ? await conversationsWithoutPrompt(db, agentId, scope.person)
      : unpromptedIn([...messages, ...strays])
  const copies = await forgetCopies(db, { completions, conversationIds, mode, isAsked })
  // Not in `forgetCopies`, which also runs when a message is edited: people would then lose what they are writing.
  const drafts = await forgetDrafts(db, completions, conversationIds)
  const continuations = 'completionId' in scope ? 0 : await forgetContinuations(db, agentId, scope)
  const conversation_keys = mode === 'scrub' ? await forgetKeys(db, completions, conversationIds) : 0
  let mailbox_items = 0
  for (const parked of parkedScopes(db, scope))
    mailbox_items += await dropParked(db, agentId, parked, forgotten('mailbox_items'), now)
  return { ...copies, drafts, continuations, conversation_keys, mailbox_items }
}

/** Returns the conversations of those texts that belong to no completion. */
function unpromptedIn(texts: readonly TextRow[]): string[] {
  const unprompted = texts.filter(({ completionId }) => completionId === null)
  return [...new Set(unprompted.flatMap(({ conversationId }) => conversationId ?? []))]
}

/** Returns the scopes of parked messages, of which a completion has none. Only channels park messages. */
function parkedScopes(db: Kysely<Tables>, scope: RedactionScope): ParkedScope[] {
  if ('before' in scope) return [scope]
  if ('completionId' in scope) return []
  return scope.person.map((key) => parkedOf(db, key, scope.person))
}

function parkedOf(db: Kysely<Tables>, key: UserKey, person: PersonKeys): ParkedScope {
  const { source, id } = readUserKey(key)
  const channelId = channelOfSource(source)
  if (channelId === null) return { visitor: key }
  return { channelId, personId: id, isTheirs: (conversationId) => isOfUser(db, conversationId, person) }
}
