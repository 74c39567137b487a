import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** The earlier mails that a mail repeats below what it says, once the reader asks for them. */
export function QuotedText({ text }: { text: string }) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        px={0}
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {t(isShown ? 'inbox.hideQuoted' : 'inbox.showQuoted')}
      </Button>
      {isShown ? (
        <div className="bubble long-text foreign" dir="auto">
          {text}
        </div>
      ) : null}
    </>
  )
}
