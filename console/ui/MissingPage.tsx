import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from './Empty.tsx'
import { SearchIcon } from './icons.tsx'
import { useTitle } from './use-title.ts'

/** The page for an address that has no page. */
export function MissingPage() {
  const { t } = useTranslation()
  useTitle(t('missing.title'))
  return (
    <Empty
      icon={SearchIcon}
      title={t('missing.title')}
      text={t('missing.text')}
      action={
        <Button component={Link} to="/">
          {t('missing.home')}
        </Button>
      }
    />
  )
}
