import {
  DOUBLE_HAN_SURNAMES,
  HAN_SURNAMES,
  HANGUL_SURNAMES,
  THAI_GIVEN_NAMES,
  WORDY_SURNAMES,
} from './lists.ts'

const HAN = /[\u3400-\u9fff々〆ヶ]/
const JAPANESE = /[\u3400-\u9fff々〆ヶ\u30a1-\u30fa\u30fc・]/
const HIRAGANA = /[\u3041-\u3096]/
const HANGUL = /[\uac00-\ud7af]/
const THAI = /[\u0e00-\u0e7f]/

/** Characters that seldom belong to a given name, because they continue the sentence. */
const AFTER_NAMES = new Set(
  '今是来住在的电電手邮郵我想要有和说說已刚剛打请請先女小身地出生号號年月日吗呢吧啊了着过過就也都还還不没沒这這那他她你您们們从從到给給把被让讓会會能可以及与與或，,。',
)

/** Returns the end of the Chinese name that begins at `start`: a family name and one or two characters. */
export function readHan(text: string, start: number): number {
  const isDouble = DOUBLE_HAN_SURNAMES.has(text.slice(start, start + 2))
  if (!isDouble && !HAN_SURNAMES.has(text.charAt(start))) return start
  let end = start + (isDouble ? 2 : 1)
  for (let given = 0; given < 2 && HAN.test(text.charAt(end)); given++) {
    if (AFTER_NAMES.has(text.charAt(end)) && (given > 0 || AFTER_NAMES.has(text.charAt(end + 1)))) break
    end++
  }
  return end
}

/** Returns the start of the Chinese name that ends at `end`, before a title; `end` if there is none. */
export function readHanBefore(text: string, end: number): number {
  for (const length of [4, 3, 2]) {
    const start = end - length
    if (start < 0 || !isHan(text, start, end)) continue
    if (length > 2 && DOUBLE_HAN_SURNAMES.has(text.slice(start, start + 2))) return start
    const surname = text.charAt(start)
    const isName = length < 4 && HAN_SURNAMES.has(surname) && !WORDY_SURNAMES.has(surname)
    if (isName && !AFTER_NAMES.has(text.charAt(start + 1))) return start
  }
  return HAN_SURNAMES.has(text.charAt(end - 1)) && !/[别此首优领最祖]/.test(text.charAt(end - 2))
    ? end - 1
    : end
}

function isHan(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!HAN.test(text.charAt(at))) return false
  return true
}

/** Returns the end of the Japanese name that begins at `start`: kanji and katakana, or hiragana up to a particle. */
export function readJapanese(text: string, start: number): number {
  let end = start
  for (; end - start < 14; end++) {
    const char = text.charAt(end)
    if (JAPANESE.test(char)) continue
    if (char === ' ' && end > start && JAPANESE.test(text.charAt(end + 1))) continue
    if (!HIRAGANA.test(char)) break
    const rest = text.slice(end, end + 3)
    if (
      /^(?:です|でし|でご|と申|とい|とお|と言|と、|さん|さま|くん|ちゃ|だ|が|は|を|に|の|も|、|より|から|や|宛)/.test(
        rest,
      ) ||
      /^[とで](?![ぁ-ん])/.test(rest)
    )
      break
  }
  if (DOING.test(text.slice(start, end))) return start
  return end - start > 1 || JAPANESE.test(text.charAt(start)) ? end : start
}

/** Endings of verbs, which names never have. */
const DOING = /して|ます|ません|する|される|された/

const NO_JAPANESE_NAMES =
  /(?:お客|皆|患者|息子|祖父|祖母|業者|店員|各位|医者|配達員|御社|貴社|会社|先方|担当者|子供|旦那|運転手|駅員|店長|部長|課長|社長|管理人|受取人|差出人|弁護士|看護師|編集|読者|諸君|主人|さん|明日|今日|昨日|商品|注文|荷物|住所|名前|氏名|電話|番号|本人|彼女|以上|予約|配送|確認|連絡|質問|日本|東京|大阪)$/

/** Words for times that may precede a name directly. */
const DAYS_BEFORE = /^(?:一昨日|昨日|今日|本日|明日|先日|先週|今週|来週|毎日|今朝|昨夜|今回|前回)/

/** Characters that are not a name on their own. */
const NO_SINGLE_NAMES = '奥神王娘母父兄姉同模多仕有異一何上下赤嫁婿仏殿諸係様私僕俺彼誰客皆'

/** Returns the start of the Japanese name that ends at `end`, before a title; `end` if there is none. */
export function readJapaneseBefore(text: string, end: number): number {
  const isKatakana = /[\u30a1-\u30fa\u30fc]/.test(text.charAt(end - 1))
  const pattern = isKatakana ? /[\u30a1-\u30fa\u30fc・]/ : HAN
  let start = end
  while (start > 0 && end - start < (isKatakana ? 16 : 6) && pattern.test(text.charAt(start - 1))) start--
  const day = DAYS_BEFORE.exec(text.slice(start, end))
  if (day) start += day[0].length
  const name = text.slice(start, end)
  if (name.length === 1 && NO_SINGLE_NAMES.includes(name)) return end
  if (NO_JAPANESE_NAMES.test(text.slice(Math.max(0, start - 1), end)) || name.length > (isKatakana ? 15 : 5))
    return end
  return isKatakana && name.length < 2 ? end : start
}

const HANGUL_ENDINGS =
  /^(?:입니다|이에요|예요|이예요|에요|이라고|라고|이고|이며|이야|씨|님|군|양|은|는|이|가|을|를|의|에게|께|한테|와|과|랑|도|인데|이라|드림|올림|고객|입니|이었|였|$)/

const DOUBLE_HANGUL_SURNAMES = /^(?:남궁|황보|제갈|사공|선우|독고|서문)/

/** Returns the end of the Korean name that begins at `start`: a family name and one to three syllables. */
export function readHangul(text: string, start: number): number {
  if (!HANGUL_SURNAMES.has(text.charAt(start))) return start
  if (NO_HANGUL_NAMES.has(text.slice(start, start + 2))) return start
  let run = start
  while (run - start < 12 && HANGUL.test(text.charAt(run))) run++
  for (const length of DOUBLE_HANGUL_SURNAMES.test(text.slice(start, start + 2)) ? [4, 3, 2] : [3, 2]) {
    const end = start + length
    if (end <= run && HANGUL_ENDINGS.test(text.slice(end, run))) return end
  }
  return start
}

const NO_HANGUL_NAMES = new Set(
  '고객 선생 사장 회원 기사 손 판매자 담당자 부모 임 주인 남편 아내 교수 원장 팀장 부장 과장 대리 차장 이사 회장 조카 이웃 의사 간호사 배송기사 상담사 상담원 관리자 변호사 하나 주 공주 왕자 스승 도련 아가씨 아저 여러분 구매자 이용자 사용자 신청자 수령인 어머 아버 형 누 장모 장인 환자 점주 작가 기자 목사 신부 스 반 서 한'.split(
    ' ',
  ),
)

/** Returns the start of the Korean name that ends at `end`, before a title; `end` if there is none. */
export function readHangulBefore(text: string, end: number): number {
  const until = text.charAt(end - 1) === ' ' ? end - 1 : end
  let start = until
  while (start > 0 && until - start < 6 && HANGUL.test(text.charAt(start - 1))) start--
  const name = text.slice(start, until)
  const isName = name.length >= 2 && name.length <= 4 && HANGUL_SURNAMES.has(name.charAt(0))
  return isName && !NO_HANGUL_NAMES.has(name) ? start : end
}

/** Tells whether a frequent Thai given name stands at `start`. */
export function isThaiGivenName(text: string, start: number): boolean {
  return THAI_GIVEN_NAMES.test(text.slice(start, start + 16))
}

const THAI_ENDINGS =
  /(?:ครับ|ค่ะ|คะ|นะ|จาก|อยู่|เป็น|อยาก|ต้องการ|สอบถาม|และ|ที่|มี|ขอ|โทร|เบอร์|อายุ|กำลัง|จะ|ได้|ไม่|แล้ว|สั่ง|เกิด)/

/** Surnames that begin like "to have" (`มีสุข`), except those that begin like things that people say they have. */
const SURNAME_WITH_VERB =
  /^มี(?!คำ|ปัญ|เรื่อง|ข้อ|สิน|ความ|อะไร|เบอร์|ที่|การ|นัด|ของ|ใบ|บัตร|ไหม|แล้ว|ครับ|ค่ะ|คะ|ใคร|เวลา|งาน|ลูก|บ้าน)[\u0e00-\u0e7f]{2}/

/** Returns the end of the Thai name that begins at `start`: a word, and a second one after a space. */
export function readThai(text: string, start: number): number {
  const first = thaiWordEnd(text, start)
  if (first - start < 2) return start
  if (text.charAt(first) !== ' ') return first
  const second = SURNAME_WITH_VERB.test(text.slice(first + 1, first + 9))
    ? thaiWordEnd(text, first + 3)
    : thaiWordEnd(text, first + 1)
  return second - first > 3 ? second : first
}

function thaiWordEnd(text: string, start: number): number {
  let end = start
  while (end - start < 24 && THAI.test(text.charAt(end))) end++
  const ending = THAI_ENDINGS.exec(text.slice(start, end))
  return ending ? start + ending.index : end
}
