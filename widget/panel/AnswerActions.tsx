import type { Chat } from './chat.ts'
import { IconButton } from './icons.tsx'
import { latePartsOf } from './late-parts-of.ts'
import type { Message } from './protocol.ts'
import type { Texts } from './texts.ts'

/** The buttons and forms with which a visitor judges an answer. */
export function AnswerActions(props: {
  message: Message
  chat: Chat
  texts: Texts
  form: 'flag' | 'feedback' | null
  isThanked: boolean
}) {
  const { message, chat, texts, form, isThanked } = props
  const { completion, completion_id: completionId } = message
  if (!completion || !completionId) return null
  const { liked, flagged } = completion
  return (
    <>
      <div class="rate">
        <IconButton
          icon="like"
          label={texts.like}
          isPressed={liked === true}
          onClick={() => chat.like(message, liked === true ? null : true)}
        />
        <IconButton
          icon="like"
          class="icon down"
          label={texts.dislike}
          isPressed={liked === false}
          onClick={() => chat.like(message, liked === false ? null : false)}
        />
        <IconButton
          icon="flag"
          label={texts.flag}
          isPressed={flagged}
          onClick={() => chat.set({ form: form === 'flag' ? null : { completionId, kind: 'flag' } })}
        />
        {isThanked ? <span role="status">{texts.thanks}</span> : null}
      </div>
      {form && latePartsOf(chat, texts)?.answerForm(chat, message, form)}
    </>
  )
}
