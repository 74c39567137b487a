import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/Empty.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { useTitle } from '../ui/use-title.ts'

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
