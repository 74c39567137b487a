import { wordEnd } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { step } from '../engine/step.ts'
import { CODE_WORDS, KEY_WORDS, PASSWORD_WORDS, PIN_WORDS, USE_WORDS } from './secret-words.ts'

const TYPE = 'SECRET'

/** Keys with their own form: OpenAI, Anthropic, AWS, GitHub, GitLab, Slack, Stripe, Google, npm and others, JWTs. */
const KEY = new RegExp(
  [
    'sk-(?:ant-|proj-|svcacct-|admin-|or-v1-|lf-)?[\\w-]{16,300}',
    '(?:AKIA|ASIA|ABIA|ACCA|AIDA|AROA)[A-Z0-9]{12,30}',
    'gh[pousr]_\\w{20,300}|github_pat_\\w{20,300}',
    'gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[\\w.-]{16,300}',
    'xox[abceoprs]-[\\w-]{10,300}|xapp-[\\w-]{10,300}',
    '(?:sk|pk|rk)_(?:live|test)_\\w{10,300}|whsec_[\\w+/=]{16,200}',
    'AIza[\\w-]{30,60}|ya29\\.[\\w-]{20,300}|GOCSPX-[\\w-]{20,60}',
    'npm_\\w{20,100}|pypi-[\\w-]{20,300}|hf_\\w{20,100}|dop_v1_\\w{20,100}|dckr_pat_[\\w-]{16,100}',
    'SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}|key-[0-9a-f]{32}|sq0(?:atp|csp)-[\\w-]{20,60}|EAAA[\\w-]{50,100}',
    'shp(?:at|ca|pa|ss)_[0-9a-f]{20,60}|(?:AC|SK)[0-9a-f]{32}|ghr_\\w{20,300}|lin_api_\\w{20,80}|ntn_\\w{20,80}',
    'secret_[A-Za-z0-9]{30,80}|figd_[\\w-]{20,80}|glc_[\\w=+/]{20,300}|hv[sb]\\.[\\w-]{20,300}|gsk_\\w{20,100}|r8_\\w{20,80}|pplx-\\w{20,80}',
    'sbp_\\w{20,80}|tfp_\\w{20,80}|rubygems_\\w{20,80}|AGE-SECRET-KEY-1[A-Z0-9]{40,80}|parley_(?:key|token)_\\w{10,200}',
    'eyJ[\\w-]{8,4000}\\.[\\w-]{4,8000}(?:\\.[\\w-]{0,4000})?',
  ].join('|'),
  'y',
)
const KEY_PREFIXES =
  'sk- akia asia abia acca aida aroa ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- sk_live_ sk_test_ pk_live_ pk_test_ rk_live_ rk_test_ whsec_ aiza ya29. gocspx- npm_ pypi- hf_ dop_v1_ dckr_pat_ sg. key- sq0atp- sq0csp- eaaa shpat_ shpca_ shppa_ shpss_ ac0 ac1 ac2 ac3 ac4 ac5 ac6 ac7 ac8 ac9 aca acb acc acd ace acf sk0 sk1 sk2 sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf lin_api_ ntn_ secret_ figd_ glc_ hvs. hvb. gsk_ r8_ pplx- sbp_ tfp_ rubygems_ age-secret-key-1 parley_key_ parley_token_ eyj'.split(
    ' ',
  )

const PEM_BEGIN = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const PEM_END = '-----END '
const LONGEST_PEM = 16_384

const QUOTES = '["\'`“”„«»]'
const OPENING = `(«\\s?|${QUOTES}?)`
/** The text between a word and its value: `: `, ` = `, ` is ` and the like. */
const SIGN = new RegExp(`${QUOTES}?\\s{0,3}(?::=|=>|[:=])\\s{0,3}${OPENING}`, 'y')
const VERB = new RegExp(
  `\\s{0,2}(?:(?:(?:is now|is|was|ist jetzt|ist|lautet|war|est|es|era|e|é|è|jest|to|är|er|on nyt|on|olarak|zijn|dir|это|la|là|adalah|yaitu)(?![\\p{L}\\p{N}])|[-:]|هي|هو|है|是|为|為|は|が|는|은|이|가|คือ)\\s{0,2}){1,2}${OPENING}`,
  'iuy',
)
const BEARER = /(?:\s{1,2}|\s{0,2}[:=]\s{0,2})(?:bearer |basic |token )?/iy
const VALUE = /[^\s"'`“”„«»<>]{4,256}/y
/** Values between quotation marks on one line, by the opening mark. An apostrophe within a word closes nothing. */
const QUOTED: ReadonlyMap<string, RegExp> = new Map(
  [
    ['"', '"'],
    ["'", "'(?!\\p{L})"],
    ['`', '`'],
    ['“”„«»', '["“”«»]'],
  ].flatMap(([opening = '', closing]) => {
    const value = new RegExp(`(?!\\s)(?:\\\\.|(?!${closing})[^\\\\\n]){4,128}?(?=\\s?${closing})`, 'uy')
    return Array.from(opening, (mark) => [mark, value] as const)
  }),
)

const WORD = "[\\p{L}'’]{1,14}"
const IS = 'is|was|ist|war|lautet|est|était|es|era|fue|é|foi|è|jest|to|är|er|это'
/** A clause and a verb between a word for a password and its value, as in `the password that I use is …`. */
const CLAUSE = new RegExp(`(?:,? (?!(?:${IS}) )${WORD}){1,6},? (?:${IS}):? ["'“(]?`, 'iuy')
/** The words between them in a sentence about a change: `I changed my password to …`. */
const CHANGE = new RegExp(
  `(?: ${WORD}){0,4}? (?:to|auf|zu|in|en|a|à|por|para|naar|na|на|till|til):? ["'“(]?`,
  'iuy',
)
const CHANGED =
  /(?:^|\P{L})(?:(?:ge|ver|umge)?änder|chang|(?:re)?set |switch|updat|cambi|mud|alter|troc|troqu|veranderd|gewijzigd|zmieni|смен|помен|измен|ändra|endr|ændr)/iu
/** The name before a password, as in `login: jane / …`. */
const NAME_BEFORE = /[\w.@+-]{2,64} ?[/|] ?/y

/** Text that documentation, code and conversations contain in place of a password. */
const NO_VALUE =
  /^(?:is|can't|cannot|please|enter|forgot|credentials|null|none|nil|undefined|true|false|required|optional|string|str|text|number|here|hidden|redacted|xxx+|\*+|\.{3,}|•+|your.*|my[-_]?(?:pass|secret|key|token|pwd|user|app|db|api).*|must|should|reset|change|changed|wrong|incorrect|invalid|expired|forgotten|protected|field|manager|policy|process\.env.*|os\.environ.*|os\.getenv.*|env\..*|config\..*|settings\..*|secrets?\..*|this\..*|self\..*|props\..*|\$\{?\w*.*|%\w+%|\{\{.*|<.*|\[.*|get\w*\(.*|\w+\(.*|.*\(\).*|that|this|not|the|too|very|and|for|with|still|what|https?:\/\/.*)$/i

/** Secrets with a recognizable form, private keys, and any value that a word calls a password, a key or a PIN. */
export const secret: Recognizer = {
  type: TYPE,
  label: 'Password, key or token',
  example: 'sk-proj-4f9aK2bQ7xZ1mN8vL3tR',
  phrases: {
    keyPrefix: KEY_PREFIXES.map((prefix) => `${prefix}*`),
    privateKey: ['-----begin*'],
    wifi: ['wifi:t*', 'wifi:s*', 'wifi:p*', 'wifi:h*'],
    cookie: ['cookie', 'cookies', 'set-cookie'],
    userOption: ['-u', '--user', '--proxy-user', '--http-user'],
    code: CODE_WORDS,
    useCode: USE_WORDS,
    password: PASSWORD_WORDS,
    pass: ['pass'],
    keyWord: KEY_WORDS,
    pin: PIN_WORDS,
  },
  find(page) {
    let key = 0
    page.eachPhrase('keyPrefix', (start) => {
      KEY.lastIndex = start
      if (start < key || !KEY.test(page.text)) return
      key = KEY.lastIndex
      page.add(TYPE, start, key, 'alone')
      const beside = AWS_SECRET.exec(page.text.slice(key, key + NEAR_KEY))
      if (!beside || !/^A[KS]IA/.test(page.text.slice(start, start + 4))) return
      page.add(TYPE, key + beside[0].length - AWS_LENGTH, key + beside[0].length, 'alone')
    })
    findPrivateKeys(page)
    addMatches(page, 'wifi', 0, WIFI)
    addMatches(page, 'cookie', 1, COOKIE)
    addMatches(page, 'userOption', 1, USER_OPTION)
    page.eachPhrase('code', (start, end) => addCode(page, start, wordEnd(page.text, end)))
    addMatches(page, 'useCode', 1, CODE_TO_USE)
    let read = 0
    page.eachPhrase('password', (start, end) => {
      // A word within a password is a part of the password.
      if (start >= read) read = addPassword(page, start, wordEnd(page.text, end))
    })
    page.eachPhrase('pass', (_, end) => addPass(page, end))
    page.eachPhrase('keyWord', (_, end) => addKey(page, wordEnd(page.text, end)))
    page.eachPhrase('pin', (start, end) => addPin(page, start, wordEnd(page.text, end)))
  },
  examples: [
    'key «sk-proj-4f9aK2bQ7xZ1mN8vL3tR»',
    'AWS «AKIAIOSFODNN7EXAMPLE» leaked',
    '暗証番号は«4821»です',
    '验证码是«482913»吗',
    '我的验证码«482913»过期了',
    '인증번호는 «482913»입니다',
    'PIN คือ «4821»ครับ',
    'token «ghp_16C7e42F292c6912E7710c838347Ae178B4a»',
    '«eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U»',
    'password: «hunter2»',
    'Mein Passwort ist «Sommer2024!».',
    'mot de passe : «Tr0ub4dor&3»',
    '密码是«abc12345»',
    'Authorization: Bearer «mF_9.B5f-4.1JqM12345»',
    'PIN: «4821»',
    'the code you texted me was «962-135» but it says expired',
    'use «333-313» to verify your account',
    '2FA code «084 122» does not work',
    'SMS code «943-804» does not work',
    'engångskod «986923»',
    '«-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----»',
    'api_key = "«9f8e7d6c5b4a39281706»"',
    'пароль: «qwerty123»',
    'user: bob pass: «hunter2»',
    'şifrem «Yaz2024!»',
    '«WIFI:T:WPA;S:MyHome;P:sup3rs3cret;;»',
    'Cookie: «session=abc123def456; theme=dark»',
    'curl -u «admin:hunter2» https://api.example.com',
    "curl --user '«admin:hunter2»' https://api.example.com",
    'my password is "«Mein Hund Bello»", what now?',
    '{"password":"«my dog bello»","user":1}',
    "password = '«my dog's name»'",
    'Passwort: „«Mein Hund Bello»“',
    'contraseña: "«mi perro bello»"',
    '«AKIAIOSFODNN7EXAMPLE» «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»',
    'Your verification code is «482913».',
    '«482913» is your one-time code',
    'Ihr Bestätigungscode lautet «482913»',
    'код подтверждения: «4829»',
    'PGPASSWORD=«hunter2» psql',
    'Routerpasswort: «Rosen77»',
    'The password I use is «Sommer2024!»',
    "le mot de passe que j'utilise est «Chaton75!»",
    'das Passwort, das ich benutze, ist «Rosen77!»',
    "j'ai changé mon mot de passe en «Chaton75!»",
    'ik heb het wachtwoord veranderd in «Fiets1234»',
    'Zugangsdaten: «kmeier / Rosen!77»',
    'PUK «12345678»',
    'AccountName=acc;AccountKey=«abcDEF123456789+/abcdef==»;EndpointSuffix=core.windows.net',
  ],
  counterExamples: [
    'Your password must be at least 8 characters',
    'I forgot my password, is it wrong?',
    'const password = process.env.DB_PASSWORD',
    'The password is incorrect.',
    'token: string',
    'password: required',
    'password is required',
    'The password that you sent me is wrong',
    'My password for order 123456 is not accepted',
    'Passwort in Windows11 vergessen',
    'Login: Startseite / Konto',
    'Ist mein Passwort sicher?',
    'Passwort: siehe Mail',
    '{"password":"The password field is required."}',
    '{"password":"can\'t be blank"}',
    'the "password is" what "you" said',
    'password: "my dog\nis called bello"',
    'sk-learn is a library',
    'the session token expired yesterday',
    'boarding pass: KLM1234567',
    'error code 482913',
    'zip code is 48291',
    'docker run -u 1000:1000 image',
    'cookies are small files',
    'the code is 482913 lines long',
  ],
}

/** A string that joins a phone to a wireless network. */
const WIFI = /WIFI:(?=[^\n]{0,200}P:)(?:[TSPHEAI]{1,3}:(?:\\.|[^;\n\\]){0,100};){1,6};?/iy
/** The values behind the head of a request or an answer. */
const COOKIE = /:\s{0,2}([\w.-]{1,64}=[^\s;,]{1,4096}(?:;\s?[\w.-]{1,64}(?:=[^\s;,]{0,4096})?){0,40})/y
/** `-u name:password`. */
const USER_OPTION = /[\s=]{1,2}["']?([\w.@+-]{1,64}:(?!\d{1,6}(?:\s|$))[^\s"':/]{3,128})(?=["'\s]|$)/y
const AWS_SECRET =
  /^[^A-Za-z0-9+/]{1,3}(?:[^\n]{0,40}[\s"':=,])?(?=[A-Za-z0-9+/]{0,40}\d)[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/
const AWS_LENGTH = 40
const NEAR_KEY = 100

/** Adds what a sticky pattern, or its first group, matches from the start (0) or the end (1) of each phrase. */
function addMatches(page: Page, kind: string, side: 0 | 1, pattern: RegExp): void {
  let read = 0
  page.eachPhrase(kind, (...place) => {
    if (place[0] < read) return
    pattern.lastIndex = place[side]
    const match = pattern.exec(page.text)
    if (!match) return
    read = pattern.lastIndex
    page.add(TYPE, read - (match[1] ?? match[0]).length, read, 'alone')
  })
}

const CODE_BEHIND =
  /[^\S\n]{0,2}(?:(?:is|ist|lautet|est|es|é|è|e|to|är|er|jest|это|هو|है|là|adalah|:|=|-)(?![\p{L}])[^\S\n]{0,2}|[:：是为は은는]\s?){1,2}["'“(]?((?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3}|[A-Z\d]{6,8})(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}]|[.,:/-]\d| \p{Ll}{4})/uy
/** A code behind a clause that says how it came, as in `the code you texted me was 123 456`. */
const CODE_THAT_CAME =
  /(?: (?!(?:is|was|are|were) )[\p{L}']{1,12}){0,4} (?:sent|send|texted|text|got|get|received|receive|gave|emailed|mailed|messaged|geschickt|gesendet|schickten|bekommen|erhalten|bekam|envoyé|reçu|reçois|enviado|enviaste|enviaron|recibido|recibí|enviou|enviaram|recebi|recebido|inviato|mandato|ricevuto|gestuurd|ontvangen|kreeg)(?: [\p{L}']{1,12}){0,4}[,:]? (?:is|was|ist|war|lautet|est|était|es|era|fue|é|foi|è):? ["'“(]?(\d{3}[ -]\d{3}|\d{4,8})(?![\p{L}\p{N}]|[.,:/-]\d)/iuy
/** A code that somebody is told to use, as in `use 123 456 to verify your account`. */
const CODE_TO_USE =
  /(?: (?:the code|code|den code|le code|el código|o código|il codice))? ["'“(]?(\d{3}[ -]\d{3}|\d{4,8})(?=["'”)]?,? (?:to|um|zum|zur|pour|para|per|om) (?:\p{L}{1,12} ){0,4}(?:verif|confirm|log in|sign in|authenti|anmeld|bestätig|vérif|connecter|iniciar|acceder|entrar|accedere|bevestig|inlog))/iuy
/** A code of six digits directly behind a word that means nothing else. */
const CODE_DIRECT =
  /[^\S\n]{0,2}["'“(]?(\d{3}[ -]?\d{3})(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}]|[.,:/-]\d)/uy
const CODE_BEFORE =
  /(?:^|[^\p{L}\p{N}.,/-])((?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3}) (?:is|ist|est|es|é|è|to|är|er|jest|это|—|-|là|adalah) (?:\p{L}{1,12} ){0,3}$/u

const LOOSE_CODES = [CODE_BEHIND, CODE_THAT_CAME]
const CODES = [CODE_BEHIND, CODE_DIRECT, CODE_THAT_CAME]

/** Adds the one-time code behind a word for one, or before it: `482913 is your code`. */
function addCode(page: Page, start: number, end: number): void {
  const { text } = page
  for (const pattern of /^the /i.test(text.slice(start, end)) ? LOOSE_CODES : CODES) {
    pattern.lastIndex = end
    const behind = pattern.exec(text)?.[1]
    if (!behind || !/\d/.test(behind)) continue
    page.add(TYPE, pattern.lastIndex - behind.length, pattern.lastIndex, 'checked')
    return
  }
  const near = text.slice(Math.max(0, start - 48), start)
  const before = CODE_BEFORE.exec(near)
  if (!before) return
  const from = start - near.length + before.index + before[0].indexOf(before[1] as string)
  page.add(TYPE, from, from + (before[1] as string).length, 'checked')
}

function findPrivateKeys(page: Page): void {
  const { text } = page
  let done = 0
  page.eachPhrase('privateKey', (start) => {
    PEM_BEGIN.lastIndex = start
    if (start < done || !PEM_BEGIN.test(text)) return
    const body = PEM_BEGIN.lastIndex
    const near = text.slice(body, body + LONGEST_PEM)
    const footer = near.indexOf(PEM_END)
    const closing = footer < 0 ? -1 : near.indexOf('-----', footer + PEM_END.length)
    // If the key has no end, all lines that can be part of a key are taken.
    const length =
      closing >= 0 && closing - footer < 60
        ? closing + 5
        : (/^[\w+/=\s\\:,-]*/.exec(near)?.[0].trimEnd().length ?? 0)
    done = body + length
    if (length > 16) page.add(TYPE, start, done, 'alone')
  })
}

/** Adds the password after a word for one. Returns its end, or `end`. */
function addPassword(page: Page, start: number, end: number): number {
  const { text } = page
  SIGN.lastIndex = end
  const sign = SIGN.exec(text)
  if (sign) {
    const from = SIGN.lastIndex
    const second = step(NAME_BEFORE, text, from)
    const both = second > from ? valueEnd(text, second) : from
    if (hasStrongMixture(text.slice(second, both))) {
      page.add(TYPE, from, both, 'checked')
      return both
    }
    const quoted = quotedEnd(text, from, sign[1])
    const to = quoted ?? valueEnd(text, from)
    const value = text.slice(from, to)
    const isAlone =
      quoted !== undefined ||
      (sign[1] !== '' && text.charAt(to) !== ' ') ||
      /^\s*(?:$|[\n,;)}\]|]|\.(?:\s|$))/.test(text.slice(to, to + 12))
    if (to <= from || isNoPassword(value) || isVariable(text, from, to) || !(isAlone || hasMixture(value)))
      return end
    page.add(TYPE, from, to, 'checked')
    return to
  }
  VERB.lastIndex = end
  const verb = VERB.exec(text)
  const from = verb ? VERB.lastIndex : end + 1
  const to = quotedEnd(text, from, verb?.[1]) ?? valueEnd(text, from)
  const value = text.slice(from, to)
  if (to <= from || isNoPassword(value)) return addDistant(page, start, end)
  const isQuoted = verb !== null && verb[1] !== ''
  const isValue =
    isQuoted ||
    (verb ? hasMixture(value) : text.charCodeAt(end) === 32 && isStrong(value, text.charCodeAt(end - 1)))
  if (!isValue) return addDistant(page, start, end)
  page.add(TYPE, from, to, 'checked')
  return to
}

/** Adds a password that other words keep from the word for it. Returns its end, or `end`. */
function addDistant(page: Page, start: number, end: number): number {
  const { text } = page
  for (const pattern of [CLAUSE, CHANGE]) {
    const from = step(pattern, text, end)
    if (from === end || (pattern === CHANGE && !CHANGED.test(text.slice(Math.max(0, start - 40), from))))
      continue
    const to = valueEnd(text, from)
    const value = text.slice(from, to)
    if (!hasStrongMixture(value) || isNoPassword(value)) continue
    page.add(TYPE, from, to, 'checked')
    return to
  }
  return end
}

/** Returns the end of the value at `from`, behind this quotation mark; undefined if none closes it on the same line. */
function quotedEnd(text: string, from: number, mark = ''): number | undefined {
  const value = QUOTED.get(mark.trimEnd())
  if (!value) return
  value.lastIndex = from
  return value.test(text) ? value.lastIndex : undefined
}

/** Tells whether a value is other text, as the message `must be longer` that a form says of a password. */
function isNoPassword(value: string): boolean {
  return NO_VALUE.test(value.replace(/(?<=\p{L})[.,:;!?]*(?:\s.*)?$/su, ''))
}

/**
 * Adds the value after `pass`, as in `user: bob pass: hunter2`. It must have a lower-case letter and a digit, which
 * numbers of boarding passes and entrance passes seldom have together.
 */
function addPass(page: Page, end: number): void {
  SIGN.lastIndex = end
  if (!SIGN.test(page.text)) return
  const from = SIGN.lastIndex
  const to = valueEnd(page.text, from)
  const value = page.text.slice(from, to)
  if (hasStrongMixture(value) && /\p{Ll}/u.test(value) && !NO_VALUE.test(value))
    page.add(TYPE, from, to, 'checked')
}

function addKey(page: Page, end: number): void {
  const { text } = page
  let from = -1
  for (const pattern of [SIGN, VERB, BEARER]) {
    pattern.lastIndex = end
    if (from < 0 && pattern.test(text)) from = pattern.lastIndex
  }
  if (from < 0) return
  const scheme = /^(?:bearer|basic|token) /i.exec(text.slice(from, from + 8))
  if (scheme) from += scheme[0].length
  const to = valueEnd(text, from)
  const value = text.slice(from, to)
  const isKey = value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/:\/\/|\]\(/.test(value)
  if (isKey && !NO_VALUE.test(value)) page.add(TYPE, from, to, 'checked')
}

const PIN_VALUE =
  /[^\p{L}\p{N}\n]{0,3}(?:(?:is|code|number|ist|lautet|est|es|é|è|to|är|jest|это|код|هو|है|是|は|는|은|คือ|la|là|adalah)[^\p{L}\p{N}\n]{1,3}|[はは是는은]\s?){0,2}(\d{3,8})(?![\d\p{Script=Latin}\p{Script=Cyrillic}]|[.,:/-]\d)/iuy

function addPin(page: Page, start: number, end: number): void {
  PIN_VALUE.lastIndex = end
  const match = PIN_VALUE.exec(page.text)
  // In India, a PIN code is a postcode, of six digits.
  const isPostcode = match?.[1]?.length === 6 && /^pin.?code/i.test(page.text.slice(start, start + 8))
  if (match && !isPostcode)
    page.add(TYPE, PIN_VALUE.lastIndex - (match[1] as string).length, PIN_VALUE.lastIndex, 'checked')
}

/**
 * Returns the end of the value that begins at `from`, without the punctuation of the sentence and letters attached to
 * it.
 */
function valueEnd(text: string, from: number): number {
  VALUE.lastIndex = from
  if (!VALUE.test(text)) return from
  let to = VALUE.lastIndex
  const unspaced = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af。，、]/.exec(text.slice(from, to))
  if (unspaced && unspaced.index > 0) to = from + unspaced.index
  const next = NEXT_PARAMETER.exec(text.slice(from, to))
  if (next && text.charAt(from - 1) === '=') to = from + next.index
  while (to > from && /[.,;:?)\]}|]/.test(text.charAt(to - 1))) to--
  return to - from >= 4 ? to : from
}

/** The next parameter of a query, a cookie or a connection string. */
const NEXT_PARAMETER = /[&;,](?=[\w.-]{1,40}=)/

/** Tells whether the value is a variable, as in `password = pass;`. */
function isVariable(text: string, from: number, to: number): boolean {
  return (
    text.slice(from - 3, from) === ' = ' &&
    /^[);]/.test(text.slice(to, to + 1)) &&
    /^[A-Za-z_.]+$/.test(text.slice(from, to))
  )
}

/** Tells whether letters are mixed with a digit or a sign, or a capital follows a lower-case letter. */
function hasMixture(value: string): boolean {
  return (
    /[\p{L}][\d!@#$%^&*_+=~?]|[\d!@#$%^&*_+=~?][\p{L}]|\p{Ll}\p{Lu}|^[A-Za-z]*[A-Z]{2}[a-z]+$|^\p{L}.{4,}\d/u.test(
      value,
    ) || /^\d{4,}$/.test(value)
  )
}

/**
 * Tells whether a value looks like a password. One that has only letters must change case twice, or once next to
 * another script.
 */
function isStrong(value: string, before: number): boolean {
  if (hasStrongMixture(value)) return true
  if (!/^[A-Za-z]{8,}$/.test(value)) return false
  return before > 0x24f ? /[a-z][A-Z]/.test(value) : /[a-z][A-Z].*[a-z][A-Z]/.test(value)
}

function hasStrongMixture(value: string): boolean {
  return value.length >= 6 && /\p{L}/u.test(value) && /\d/.test(value)
}
