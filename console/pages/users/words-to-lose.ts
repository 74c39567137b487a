import type { Api } from '../../api/client.ts'
import type { UserProfile } from '../../api/types.ts'
import { userAddress } from '../../ui/user-source.ts'

/** The number of questions that are looked at, and of their characters, which is the most that a try-out takes. */
const QUESTIONS = 20
const CHARACTERS = 20_000

/**
 * Returns words of an end user that an erasure should leave nowhere: the first personal data in their questions; else
 * their name; else, for a scrub, the beginning of their last question. Returns an empty text if there are none.
 */
export async function wordsToLose(api: Api, user: UserProfile, mode: 'anonymize' | 'scrub'): Promise<string> {
  const asked = await api.get('/chat/completions', {
    user_id: userAddress(user),
    per_page: QUESTIONS,
  })
  const questions = asked.data.map(({ prompt }) => prompt ?? '').filter((prompt) => prompt !== '')
  const text = questions.join('\n').slice(0, CHARACTERS)
  if (text !== '') {
    const { data } = await api.post('/redaction/try', { text })
    const [first] = data.findings
    if (first) return text.slice(first.start, first.end)
  }
  if (user.name !== null) return user.name
  return mode === 'scrub' ? (questions[0] ?? '').split(/\s+/).slice(0, 5).join(' ') : ''
}
