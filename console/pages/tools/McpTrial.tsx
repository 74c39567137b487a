import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpTool } from '../../api/types.ts'
import { ToolTrial } from './ToolTrial.tsx'
import { useOffers } from './use-offers.ts'

/** Calls one of a server's tools, as the model would. */
export function McpTrial({ tool }: { tool: McpTool }) {
  const { t } = useTranslation()
  const usable = (useOffers(tool).data?.offers ?? []).filter(({ problem }) => problem === null)
  const [chosen, choose] = useState('')
  const offer = usable.find(({ name }) => name === chosen) ?? usable[0]
  if (!offer) return null
  return (
    <ToolTrial
      key={offer.name}
      toolId={tool.id}
      parameters={offer.parameters}
      called={offer.name}
      choice={
        <NativeSelect
          label={t('tools.tool')}
          data={usable.map(({ name }) => name)}
          value={offer.name}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
    />
  )
}
