import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { presentPage } from '../http/paging.ts'
import { errors, idParam, optionalBody, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { presentNotices } from './present-notices.ts'
import { noticeList, noticeQuery, unreadSchema } from './schemas.ts'
import { saveSettings, settingsBody, settingsOf, settingsSchema } from './settings.ts'
import { listNotices, type Noticed, readNotices, unreadOf } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** True if there is a mail server. */
  isMailing: boolean
}

const tags = ['console']

/** Adds the routes of what concerns the person who is signed in, of all agents of their team. */
export function noticeRoutes(server: Server, { db, clock, isMailing }: Dependencies): void {
  const unread = async (person: Noticed) => (await unreadOf(db, [person])).get(person.operatorId)?.count ?? 0

  server.get(
    '/notices',
    {
      config: { right: 'read' },
      schema: {
        summary: 'What concerns the person who is signed in, the newest first',
        description: 'Kept for 30 days. What happens again before it is read is counted by the same notice.',
        tags,
        querystring: noticeQuery,
        response: { 200: noticeList },
      },
    },
    async ({ signedIn, query }) => {
      const page = await listNotices(db, signedIn, query.unread === true, query)
      const data = await presentNotices(db, page.rows)
      return { ...presentPage(page, (row) => row), data, unread: await unread(signedIn) }
    },
  )

  server.get(
    '/notices/settings',
    {
      config: { right: 'read' },
      schema: {
        summary: 'How the person who is signed in gets notices',
        tags,
        response: { 200: single(settingsSchema) },
      },
    },
    async ({ signedIn: { operatorId } }) => {
      const settings = (await settingsOf(db, [operatorId]))(operatorId)
      return { data: { ...settings, mail: isMailing } }
    },
  )

  server.put(
    '/notices/settings',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'setNoticeSettings',
        summary: 'Set how the person who is signed in gets notices',
        tags,
        body: settingsBody,
        response: { 200: single(settingsSchema) },
      },
    },
    async ({ signedIn: { operatorId }, body }) => ({
      data: { ...(await saveSettings(db, operatorId, body, clock())), mail: isMailing },
    }),
  )

  server.put(
    '/notices/read',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'markNoticesRead',
        summary: 'Mark all notices as read',
        tags,
        body: optionalBody(z.strictObject({})),
        response: { 200: single(unreadSchema) },
      },
    },
    async ({ signedIn }) => {
      await readNotices(db, signedIn, 'all')
      return { data: { unread: await unread(signedIn) } }
    },
  )

  server.put(
    '/notices/:id/read',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'markNoticeRead',
        summary: 'Mark a notice as read; opening its conversation does the same',
        tags,
        params: idParam('Id of the notice.'),
        body: optionalBody(z.strictObject({})),
        response: { 200: single(unreadSchema), ...errors('notice_not_found') },
      },
    },
    async ({ signedIn, params }) => {
      if (!(await readNotices(db, signedIn, { id: rowId(params.id) }))) throw new ApiError('notice_not_found')
      return { data: { unread: await unread(signedIn) } }
    },
  )
}
