import { adopterOf } from './adopt-sheet.ts'
import type { Chat } from './chat.ts'
import css from './ended.css?inline'
import { Icon } from './icons.tsx'
import { TextForm } from './TextForm.tsx'
import { fill, type Texts } from './texts.ts'

const STARS = [1, 2, 3, 4, 5]
const adopt = adopterOf(css)

/** The end of a conversation: its rating, and a button for a new one. */
export function Ended({ chat, texts }: { chat: Chat; texts: Texts }) {
  const { conversation, stars, hasCommented, outgoing } = chat.state
  if (!conversation?.ended_at || outgoing.length > 0) return null
  return (
    <div class="ended" ref={(place) => adopt(place.getRootNode() as ShadowRoot)}>
      <p class="happening">{texts.ended}</p>
      <fieldset class="stars">
        <legend>{texts.rate}</legend>
        {STARS.map((count) => (
          <label key={count} class={count <= (stars ?? 0) ? 'star on' : 'star'}>
            <input
              type="radio"
              name="stars"
              checked={stars === count}
              aria-label={fill(texts.stars, { count })}
              onChange={() => chat.rate(count, '')}
            />
            <Icon name="star" />
          </label>
        ))}
      </fieldset>
      {hasCommented ? (
        <p role="status">{texts.thanks}</p>
      ) : stars === null ? null : (
        <TextForm label={texts.comment} texts={texts} onSend={(comment) => chat.rate(stars, comment)} />
      )}
      <button type="button" class="button" onClick={chat.startAnew}>
        {texts.new}
      </button>
    </div>
  )
}
