import type { Letter } from '../../lib/mail.ts'
import type { Notice } from '../present-notices.ts'

interface Recipient {
  name: string
  email: string
}

interface Written {
  notices: readonly Notice[]
  /** True if agents, colleagues and users are named. */
  details: boolean
  /** The address under which people reach the service. */
  publicUrl: string
  /** The address that stops these mails. */
  stopUrl: string
  /** The reason for which the person gets the mail. */
  why: string
}

/** Writes the letter with unread notices. It holds nothing that anybody said. */
export function writeNotices({ name, email }: Recipient, written: Written): Letter {
  const { notices, details, publicUrl, stopUrl, why } = written
  const root = publicUrl.replace(/\/+$/, '')
  const text = [
    `Hello ${name},`,
    notices.length === 1 ? 'you have an unread notice:' : `you have ${notices.length} unread notices:`,
    ...notices.map((notice) => `- ${sentenceOf(notice, details)}\n${root}${placeOf(notice)}`),
    `${why} "Your account" in the console has the settings.`,
    `Stop these mails: ${stopUrl}`,
  ]
  return {
    to: { name, address: email },
    subject:
      notices.length === 1 ? 'An unread notice in Parley' : `${notices.length} unread notices in Parley`,
    text: `${text.join('\n\n')}\n`,
    stopUrl,
  }
}

/** Says a notice in one sentence, with the names in it or without. */
export function sentenceOf({ kind, by, user, agent, failed, count }: Notice, details: boolean): string {
  const somebody = (details ? by : null) ?? 'Somebody'
  const aUser = (details ? user : null) ?? 'A user'
  const sentence = {
    mention: `${somebody} mentioned you in a note`,
    assigned: 'You were given a conversation',
    waiting: `${aUser} waits for a person`,
    reply: `${aUser} wrote in a conversation of yours`,
    due: 'A target of a conversation concerns you',
    failed: failed ? FAILURES[failed.what] : '',
  }[kind]
  const times = count > 1 ? ` (${count} times)` : ''
  return `${sentence}${times}${details ? `, ${agent.name}` : ''}`
}

const FAILURES = {
  webhook: 'A webhook keeps failing, and gets nothing for a while',
  channel: 'A platform refuses the token of a channel',
  budget: 'A budget is spent',
}

/** Returns the path of the page on which the person sees what a notice is about. */
export function placeOf({ agent, conversation_id, failed }: Notice): string {
  const root = `/console/agents/${agent.id}`
  if (conversation_id !== null) return `${root}/inbox/${conversation_id}`
  if (failed?.what === 'webhook') return `${root}/webhooks/${failed.id}`
  if (failed?.what === 'channel') return `${root}/channels/${failed.id}`
  return `${root}/settings/model`
}
