import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { urlEnd, urlStart } from '../engine/urls.ts'
import { isTopLevelDomain } from './top-level-domains.ts'

const TYPE = 'URL'
const USER_INFO = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+@/i
const SECRET_QUERY =
  /[?&#;](?:access_?token|auth_?token|id_?token|refresh_?token|token|auth|api_?key|apikey|key|sig|signature|x-amz-signature|secret|client_secret|password|passwd|pwd|pass|session(?:_?id)?|sid|jwt|otp|reset|invite|magic|code|hash)=[^&#\s]{6,}/i
const PERSONAL_QUERY =
  /[?&#;](?:[a-z_]{0,20}(?:e?-?mail|phone|mobile|tel|first_?name|last_?name|full_?name|surname|user_?name|ssn|dob|birth_?date|address|recipient)|user|login|name)=[^&#\s]{2,}|%40[a-z0-9-]+\.[a-z]/i

/** The purposes of links that let in anybody who has them. */
const GRANTS =
  'reset password passwort passwd recover invite invitation magic confirm verify verification activate activation unsubscribe optout opt-out login signin sign-in'.split(
    ' ',
  )
/** A path with such a word and a code behind it, which changes twice between letters and digits. */
const SECRET_PATH = new RegExp(
  `[/#](?:[a-z]{1,20}[_.-])?(?:${GRANTS.join('|')})(?:[_.-]?[a-z]{1,20}){0,2}/(?:[\\w.@%+-]{1,40}/){0,2}` +
    '(?=[\\w.~%=-]{16})(?:[\\w.~%=-]{0,256}?(?:[a-z](?=\\d)|\\d(?=[a-z]))){2}',
  'i',
)
/** The end of a domain without a scheme before it. */
const HOST = /(?:^|[^\w.@-])((?:[a-z0-9-]{1,63}\.){1,5}([a-z]{2,24})(?::\d{1,5})?)$/i
const LONGEST_HOST = 200

/** Addresses to which anybody who knows them may post. */
const WEBHOOK =
  /^https?:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:[a-z]+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/|[a-z0-9-]+\.webhook\.office\.com\/|outlook\.office(?:365)?\.com\/webhook\/|hooks\.zapier\.com\/hooks\/|hook\.[a-z0-9.]*make\.com\/|maker\.ifttt\.com\/trigger\/|chat\.googleapis\.com\/v1\/spaces\/|api\.telegram\.org\/bot\d|open\.(?:feishu|larksuite)\.\w+\/open-apis\/bot\/|oapi\.dingtalk\.com\/robot\/|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook|webhook\.site\/[0-9a-f]|[a-z0-9.-]+\.logic\.azure\.com|api\.pipedream\.com|[a-z0-9]+\.m\.pipedream\.net)\S{4,}|^https?:\/\/[^/]{1,80}\/(?:[\w-]{1,30}\/){0,4}(?:web)?hooks?\/(?:[\w-]{1,30}\/){0,3}(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}/i

/** Addresses of profiles on sites where people have them. */
const PROFILE =
  /^(?:https?:\/\/)?(?:[a-z-]{1,12}\.)?(?:linkedin\.com\/(?:in|pub)\/|facebook\.com\/(?!(?:groups|help|login|pages|events|watch|sharer|marketplace|policies|business|share|reel|photo|story)\b)|fb\.(?:me|com)\/|instagram\.com\/(?!(?:p|reel|explore|accounts|about|stories)\b)|(?:twitter|x)\.com\/(?!(?:home|search|i|intent|hashtag|share|explore|login|settings)\b)|t(?:elegram)?\.me\/|wa\.me\/|api\.whatsapp\.com\/send|tiktok\.com\/@|youtube\.com\/@|medium\.com\/@|reddit\.com\/u(?:ser)?\/|vk\.com\/(?!(?:feed|wall|video)\b)|ok\.ru\/profile\/|weibo\.com\/u\/|snapchat\.com\/add\/|threads\.net\/@|pinterest\.[a-z.]{2,6}\/|xing\.com\/profile\/|keybase\.io\/|about\.me\/|paypal\.me\/|venmo\.com\/|orcid\.org\/|calendly\.com\/|line\.me\/ti\/p\/|github\.com\/(?!(?:features|about|pricing|login|explore|topics|marketplace|sponsors|settings|orgs)\b)[^/?#]+\/?$|gitlab\.com\/(?!(?:explore|users)\b)[^/?#]+\/?$)@?[^/?#\s]{2,}|^https?:\/\/[^/]{1,60}\/(?:@|users?\/|profiles?\/|people\/|members?\/|u\/|~)[a-z0-9._-]{2,}\/?$/i

const HOSTS =
  'linkedin.com facebook.com instagram.com twitter.com x.com t.me telegram.me wa.me tiktok.com medium.com reddit.com vk.com ok.ru weibo.com snapchat.com threads.net pinterest.com xing.com keybase.io about.me paypal.me venmo.com orcid.org fb.me'.split(
    ' ',
  )

/**
 * URLs that identify somebody or grant access: with user info, with tokens or addresses in the query, with a code
 * in a path that grants access, or of personal profiles.
 */
export const url: Recognizer = {
  type: TYPE,
  label: 'URL with personal data',
  example: 'https://www.linkedin.com/in/jane-doe',
  phrases: { profileHost: HOSTS.map((host) => `${host}/*`), grant: GRANTS.map((word) => `${word}*`) },
  find(page) {
    for (let at = 0; at < page.urls.length; at += 2) {
      const start = page.urls[at] as number
      const end = page.urls[at + 1] as number
      if (isPersonal(page.text.slice(start, end))) page.add(TYPE, start, end, 'alone')
    }
    const hosts = page.phrases('profileHost')
    for (let at = 0; at < hosts.length; at += 2) addBareProfile(page, hosts[at] as number)
    let read = 0
    for (const sign of page.pairSigns())
      if (sign >= read && page.text.charAt(sign) === '=') read = addBare(page, sign, read)
    read = 0
    page.eachPhrase('grant', (start) => {
      if (start >= read && /[/#_.-]/.test(page.text.charAt(start - 1))) read = addBare(page, start, read)
    })
  },
  examples: [
    'see «https://www.linkedin.com/in/jane-doe» for more',
    'find me on «linkedin.com/in/jane-doe»!',
    '«https://jane:secret@example.com/x»',
    'open «https://example.com/reset?token=abcdef123456» now',
    '«https://example.com/u?email=jane%40example.com»',
    'at «postgres://admin:hunter2@db.example.com:5432/app»',
    '(«https://t.me/janedoe»)',
    'post to «https://hooks.slack.com/services/T024BE7LH/B024BE7LH/abcDEF123»',
    '«https://discord.com/api/webhooks/1234567890/abcdefGHIJKL-mnop»',
    '«https://example.com/api/hooks/4f9aK2bQ7xZ1mN8vL3tR9s»',
    'click «https://example.com/reset/abcdef0123456789abcdef0123456789», please',
    '«https://example.com/users/password/edit/xK9mP2vQ7rT4wY8z»',
    '«https://app.example.com/invite/xK9mP2vQ7rT4wY8zAbCd»',
    '«https://example.com/confirm/550e8400-e29b-41d4-a716-446655440000»',
    '«https://example.com/#/reset/8f7d6a5b4c3e2f1a9e8d»',
    '(«https://shop.example.com/account/reset/98765/8f7d6a5b4c3e2f1a8f7d6a5b4c3e2f1a-1732789000»)',
    'open «www.example.com/login?session=8f7d6a5b4c3e2f1a».',
    'href=«example.com/?email=anna%40example.com»',
    'go to «example.com/magic-link/eyJhbGciOiJIUzI1NiJ9abc» now',
    'www.facebook.com/jane.doe.75'.replace(/.+/, '«$&»'),
  ],
  counterExamples: [
    'https://example.com/docs/page?id=12',
    'https://github.com/acme/tool/issues/12',
    'see https://www.linkedin.com/company/acme',
    'http://localhost:8080/users',
    'https://x.com/search?q=hello',
    'https://docs.example.com/webhooks/receiving-events',
    'https://example.com/docs/reset-password/',
    'https://example.com/o/123',
    'https://example.com/o/8f7d6a5b4c3e2f1a9e8d/status',
    'https://example.com/help/password/how-to-fix-windows-11-login',
    'https://github.com/acme/tool/commit/3f786850e387550fdab836ed7e6dc881de23001b',
    'example.com/reset-password/ and www.example.com/search?q=shoes',
    'call reset/verify?token=abcdef123456 of the client',
    'config.yaml?token=abcdef123456',
  ],
}

function isPersonal(address: string): boolean {
  return (
    (USER_INFO.test(address) && !/^\w+:\/\/git@/.test(address)) ||
    PROFILE.test(address) ||
    WEBHOOK.test(address) ||
    SECRET_QUERY.test(address) ||
    PERSONAL_QUERY.test(address) ||
    SECRET_PATH.test(address)
  )
}

function addBareProfile(page: Page, host: number): void {
  const { text } = page
  const domain = /(?:[a-z]{1,12}\.)?$/i.exec(text.slice(Math.max(0, host - 13), host)) as RegExpExecArray
  const start = host - domain[0].length
  if (/[/@\w.-]/.test(text.charAt(start - 1))) return
  const end = urlEnd(text, start)
  if (PROFILE.test(text.slice(start, end))) page.add(TYPE, start, end, 'alone')
}

/** Adds the address without a scheme that has a character at `place`, if it is personal. Returns its end. */
function addBare(page: Page, place: number, from: number): number {
  const { text } = page
  const end = urlEnd(text, place)
  const address = text.slice(urlStart(text, place, from), end)
  const path = address.search(/[/?#]/)
  const host = path < 0 ? null : HOST.exec(address.slice(Math.max(0, path - LONGEST_HOST), path))
  if (!host?.[1] || !isTopLevelDomain((host[2] ?? '').toLowerCase())) return Math.max(end, place + 1)
  const start = end - address.length + path - host[1].length
  if (isPersonal(text.slice(start, end))) page.add(TYPE, start, end, 'alone')
  return end
}
