import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '../../../ui/Markdown.tsx'

/** The number of characters drawn at first; more at once would block the page. */
const SHOWN_AT_FIRST = 6_000
/** The length of the pieces in which a longer text is shown as written; only pieces in sight are laid out. */
const PIECE = 10_000

interface MessageTextProps {
  text: string
  /** Opens a source of an answer by its number; without this, numbers in brackets are text. */
  onCitation?: (number: number) => void
}

export function MessageText({ text, onCitation }: MessageTextProps) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN_AT_FIRST) return <Markdown text={text} onCitation={onCitation} />
  if (isWhole)
    return piecesOf(text).map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no identity but their place
      <div key={index} className="long-text foreign">
        {piece}
      </div>
    ))
  return (
    <>
      <Markdown text={beginningOf(text, SHOWN_AT_FIRST)} onCitation={onCitation} />
      <Button variant="default" mt="xs" onClick={() => setWhole(true)}>
        {t('inbox.whole', { count: text.length })}
      </Button>
    </>
  )
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const piece = beginningOf(text.slice(at, at + PIECE + 1), PIECE)
    pieces.push(piece)
    at += piece.length
  }
  return pieces
}

/** Returns the first characters of a text, without splitting a surrogate pair. */
function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1))
  return text.slice(0, isHalf ? length - 1 : length)
}
