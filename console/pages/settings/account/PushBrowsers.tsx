import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { notifyFailure } from '../../../ui/notify.ts'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { browserName } from './browser-name.ts'

const KEY = ['notice-push']

/** The browsers to which notices are pushed, also while no page of the console is open there. */
export function PushBrowsers() {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: KEY,
    queryFn: async () => (await teamApi.get('/notices/push')).data,
  })
  const adding = useAction({
    run: async (key: string) => {
      const subscription = await subscribe(key)
      if (subscription === null) return notifyFailure(t('account.pushDenied'))
      await teamApi.post('/notices/push', subscription)
    },
    refresh: [KEY],
  })
  const removing = useAction({
    run: (id: number) => teamApi.delete(`/notices/push/${id}`),
    refresh: [KEY],
    done: t('account.pushRemoved'),
  })
  return (
    <Loaded query={query}>
      {({ key, browsers }) => (
        <Stack gap="sm">
          {browsers.length > 0 ? (
            <Rows label={t('account.pushBrowsers')}>
              {browsers.map(({ id, user_agent, created_at, current }) => (
                <Row
                  key={id}
                  title={browserName(user_agent) ?? t('account.unknownBrowser')}
                  marks={current ? <Mark tone="green">{t('account.thisSession')}</Mark> : null}
                  about={
                    <>
                      {t('account.pushSince')} <Time at={created_at} />
                    </>
                  }
                  actions={
                    <Button
                      variant="default"
                      onClick={() => removing.mutate(id)}
                      loading={removing.isPending && removing.variables === id}
                    >
                      {t('account.pushRemove')}
                    </Button>
                  }
                />
              ))}
            </Rows>
          ) : null}
          {browsers.some(({ current }) => current) ? null : canPush() ? (
            <Button
              variant="default"
              w="fit-content"
              onClick={() => adding.mutate(key)}
              loading={adding.isPending}
            >
              {t('account.pushHere')}
            </Button>
          ) : (
            <Text c="dimmed" size="sm">
              {t('account.pushUnknown')}
            </Text>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** Tells whether this browser can be pushed to; it cannot where the page is not served by https. */
function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window
}

/** Subscribes this browser; null if the person does not allow it, or the browser reaches no push service. */
async function subscribe(key: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await navigator.serviceWorker.ready
  // The push service would refuse a subscription while one with an earlier key exists.
  await (await pushManager.getSubscription())?.unsubscribe()
  const wish = { userVisibleOnly: true, applicationServerKey: key }
  const subscription = await pushManager.subscribe(wish).catch(() => null)
  if (subscription === null) return null
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh, auth } }
}
