import type { Widget } from '../../api/types.ts'

/** The widget's texts in one language. Empty texts stand for the widget's own. */
interface WidgetTexts {
  greeting: string
  /** Stored as an empty greeting, where an absent one is the widget's own. */
  without_greeting: boolean
  suggestions: string[]
  placeholder: string
  notice: string
  /** Stored as an empty notice, as `without_greeting`. */
  without_notice: boolean
  footer: string
  footer_url: string
}

export interface WidgetValues extends Record<string, unknown> {
  name: string
  active: boolean
  allowed_origins: string[]
  look: {
    color: string
    position: Widget['look']['position']
    title: string
    launcher: string
    avatar_url: string
    scheme: Widget['look']['scheme']
  }
  texts: Record<string, WidgetTexts>
  identity: Widget['identity']
  uploads: Widget['uploads']
  /** The id of a channel; empty: none. */
  continue_by: string
  /** Empty while nothing is typed. */
  continue_after: number | ''
}

export const noTexts: WidgetTexts = {
  greeting: '',
  without_greeting: false,
  suggestions: [],
  placeholder: '',
  notice: '',
  without_notice: false,
  footer: '',
  footer_url: '',
}

export function valuesOf(widget: Widget): WidgetValues {
  const { name, active, allowed_origins, look, texts, identity, uploads, continue_by, continue_after } =
    widget
  return {
    name,
    active,
    allowed_origins,
    look: { ...look, title: look.title ?? '', avatar_url: look.avatar_url ?? '' },
    texts: Object.fromEntries(Object.entries(texts).map(([language, said]) => [language, textsOf(said)])),
    identity,
    uploads,
    continue_by: continue_by === null ? '' : String(continue_by),
    continue_after,
  }
}

function textsOf(said: Widget['texts'][string]): WidgetTexts {
  return {
    greeting: said.greeting ?? '',
    without_greeting: said.greeting === '',
    suggestions: said.suggestions ?? [],
    placeholder: said.placeholder ?? '',
    notice: said.notice ?? '',
    without_notice: said.notice === '',
    footer: said.footer ?? '',
    footer_url: said.footer_url ?? '',
  }
}

/** Returns the settings as the service takes them; a language that is no longer there is removed. */
export function bodyOf({ look, texts, continue_by, continue_after, ...values }: WidgetValues, saved: Widget) {
  const gone = Object.keys(saved.texts).filter((language) => !(language in texts))
  return {
    ...values,
    continue_by: continue_by === '' ? null : Number(continue_by),
    ...(continue_by === '' ? {} : { continue_after: Number(continue_after) }),
    look: { ...look, title: look.title.trim() || null, avatar_url: look.avatar_url.trim() || null },
    texts: {
      ...Object.fromEntries(Object.entries(texts).map(([language, said]) => [language, saidIn(said)])),
      ...Object.fromEntries(gone.map((language) => [language, null])),
    },
  }
}

/** Returns only the texts that are set; the widget uses its own for the others. */
export function saidIn({ without_greeting, without_notice, ...texts }: WidgetTexts): Widget['texts'][string] {
  const said = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.length > 0))
  return {
    ...said,
    ...(without_greeting ? { greeting: '' } : {}),
    ...(without_notice ? { notice: '' } : {}),
  }
}
