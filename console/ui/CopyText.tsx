import { ActionIcon, Code, Group, Text, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { useCopy } from './use-copy.ts'

interface CopyTextProps {
  /** The text that is copied. */
  value: string
  label: string
}

/** A text to take elsewhere, with a button that copies it. */
export function CopyText({ value, label }: CopyTextProps) {
  const { t } = useTranslation()
  const { isCopied, copy } = useCopy(value)
  return (
    <div>
      <Text size="xs" fw={500} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block className="foreign" flex={1} tabIndex={0} aria-label={label}>
          {value}
        </Code>
        <Tooltip label={isCopied ? t('common.copied') : t('common.copy')}>
          <ActionIcon variant="default" size={32} onClick={copy} aria-label={`${t('common.copy')}: ${label}`}>
            {isCopied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      </Group>
    </div>
  )
}
