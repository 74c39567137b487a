import { draw as drawIn } from '../draw/draw.ts'
import { adopterOf } from './adopt-sheet.ts'
import type { Extra, ExtraOptions } from './extra.ts'
import css from './leave-address.css?inline'
import { loadMailTexts, type MailTexts } from './mail-texts.ts'
import { postAsVisitor } from './post-as-visitor.ts'
import type { Conversation } from './protocol.ts'
import { currentOf, isPersonAwaited } from './state.ts'
import { tellSeen } from './tell-seen.ts'
import { fill } from './texts.ts'

const adopt = adopterOf(css)

/**
 * Lets a visitor leave an address for answers that they do not see, when a person will answer or nobody can, and tells
 * the service which messages they have seen.
 */
export async function leaveAddress(options: ExtraOptions): Promise<Extra> {
  const { frame, storage, chat, language, announce, life } = options
  adopt(frame.root)
  const place = document.createElement('div')
  frame.form.before(place)
  let texts = await loadMailTexts(language())
  let isAsked = false
  let isSending = false
  let failure = ''
  const seen = tellSeen(options)

  life.addEventListener('abort', () => place.remove())
  // The chat may have got another language meanwhile.
  void translate()
  return { clear, translate, drawn }

  function clear(): void {
    isAsked = false
    failure = ''
    seen.clear()
    drawn()
  }

  async function translate(): Promise<void> {
    const wanted = language()
    const read = await loadMailTexts(wanted)
    if (wanted !== language()) return
    texts = read
    drawn()
  }

  function drawn(): void {
    const conversation = currentOf(chat().state)
    drawIn(place, conversation && wordsOn(conversation))
    seen.tell()
  }

  function wordsOn(conversation: Conversation) {
    const { mail_to: address = null } = conversation
    if (isAsked)
      return (
        <AddressForm
          texts={texts}
          address={address}
          failure={failure}
          isSending={isSending}
          leave={leave}
          withdraw={withdraw}
          cancel={cancel}
        />
      )
    if (address !== null) return <LeftAddress texts={texts} address={address} onChange={ask} />
    const isWaited = isPersonAwaited(chat().state) || conversation.offers_person
    if (!isWaited || storage.read().noMail === conversation.id) return null
    return <Offer texts={texts} onLeave={ask} onRefuse={refuse} />
  }

  function ask(): void {
    isAsked = true
    failure = ''
    drawn()
  }

  function cancel(): void {
    isAsked = false
    drawn()
    backToInput()
  }

  /** Asks no more in this conversation. */
  function refuse(): void {
    const { conversation } = chat().state
    if (conversation) storage.keep({ noMail: conversation.id })
    drawn()
    backToInput()
  }

  /** The focused element is gone. On a phone, focusing the input would bring up the keyboard. */
  function backToInput(): void {
    const isTouched = matchMedia('(pointer: coarse)').matches
    ;(isTouched ? frame.close : frame.input).focus({ preventScroll: true })
  }

  async function leave(address: string): Promise<void> {
    await send(address, fill(texts.left, { address }))
  }

  async function withdraw(): Promise<void> {
    await send(null, texts.stopped)
  }

  async function send(address: string | null, done: string): Promise<void> {
    if (isSending) return
    isSending = true
    failure = ''
    drawn()
    const answer = await postAsVisitor(chat(), 'mail', {
      address,
      language: language(),
      page_url: location.href.slice(0, 2048),
    })
    isSending = false
    if (answer?.ok) {
      isAsked = false
      if (address === null) refuse()
      chat().set({ conversation: (await answer.json()).data })
      announce(done)
      backToInput()
    } else {
      failure = texts[answer?.status === 400 ? 'wrong' : answer?.status === 409 ? 'refused' : 'failed']
      announce(failure)
    }
    drawn()
  }
}

/** The address to which answers go, and the button that changes it. */
function LeftAddress(props: { texts: MailTexts; address: string; onChange: () => void }) {
  const { texts, address, onChange } = props
  return (
    <p class="bar mail" key="left">
      <span>{fill(texts.left, { address })}</span>
      <button type="button" class="link" onClick={onChange}>
        {texts.change}
      </button>
    </p>
  )
}

/** Offers to leave an address. */
function Offer(props: { texts: MailTexts; onLeave: () => void; onRefuse: () => void }) {
  const { texts, onLeave, onRefuse } = props
  return (
    <div class="bar mail" key="offer">
      <span>{texts.offer}</span>
      <button type="button" class="link" onClick={onLeave}>
        {texts.leave}
      </button>
      <button type="button" class="link" onClick={onRefuse}>
        {texts.notNow}
      </button>
    </div>
  )
}

function AddressForm(props: {
  texts: MailTexts
  address: string | null
  failure: string
  isSending: boolean
  leave: (address: string) => Promise<void>
  withdraw: () => Promise<void>
  cancel: () => void
}) {
  const { texts, address, failure, isSending, leave, withdraw, cancel } = props
  return (
    <form
      class="bar"
      key="ask"
      noValidate
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        cancel()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        const said = new FormData(event.currentTarget).get('address')
        void leave(String(said).trim())
      }}
    >
      <label>
        {texts.label}
        <input
          class="address"
          name="address"
          type="email"
          autocomplete="email"
          maxLength={200}
          dir="ltr"
          aria-invalid={failure !== ''}
          aria-describedby="mail-note"
          ref={(field) => {
            field.value = address ?? ''
            field.focus({ preventScroll: true })
          }}
        />
      </label>
      <p id="mail-note" class={failure ? 'failed' : 'note'}>
        {failure || texts.note}
      </p>
      <div class="buttons">
        <button type="submit" class="button" disabled={isSending}>
          {texts.save}
        </button>
        {address === null ? null : (
          <button type="button" class="button quiet" onClick={withdraw}>
            {texts.stop}
          </button>
        )}
        <button type="button" class="button quiet" onClick={cancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
