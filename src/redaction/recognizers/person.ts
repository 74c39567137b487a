import type { Recognizer } from '../engine/recognizer.ts'
import { findAgain } from './person/find-again.ts'
import { readIntroduced, readWeak } from './person/introductions.ts'
import { readLabelled } from './person/labels.ts'
import { readClosing, readGreeted } from './person/letters.ts'
import type { Name } from './person/read-name.ts'
import { readBeforeTitle, readTitled } from './person/titles.ts'
import {
  CLOSINGS,
  GREETINGS,
  INTRODUCTIONS,
  LABELS,
  TITLES,
  TITLES_BEHIND,
  WEAK_INTRODUCTIONS,
} from './person/words.ts'

const TYPE = 'PERSON'

/** Names in introductions, greetings and closings and after titles, and wherever they appear again. */
export const person: Recognizer = {
  type: TYPE,
  label: "Person's name",
  example: 'Maria Schneider',
  phrases: {
    introduction: INTRODUCTIONS,
    nameLabel: LABELS,
    weakIntroduction: WEAK_INTRODUCTIONS,
    nameTitle: TITLES,
    titleBehind: TITLES_BEHIND,
    greeting: GREETINGS,
    closing: CLOSINGS,
  },
  find(page) {
    const names: Name[] = []
    for (const [kind, read] of READERS) {
      const found = page.phrases(kind)
      let last: Name | undefined
      for (let at = 0; at < found.length; at += 2) {
        const start = found[at] as number
        // A phrase within a name is a part of the name.
        if (last && start >= last.start && start < last.end) continue
        const name = read(page.text, found[at + 1] as number, start)
        if (!name || page.beginsPhrase('closing', name.start)) continue
        names.push(name)
        last = name
      }
    }
    for (const { start, end } of names) page.add(TYPE, start, end, 'context')
    findAgain(page.text, names, (start, end) => page.add(TYPE, start, end, 'again'))
  },
  findAgain,
  examples: [
    'my name is «Anna Smith». Please tell Anna'.replace(/Anna$/, '«Anna»'),
    'my name is «john smith», hello',
    'Sehr geehrte Frau «Schneider»,',
    'Dear «Emily»,\nthank you',
    'Regards,\n«Jean-Pierre Lambert»',
    "I'm «Maria» from accounting",
    'Me llamo «José García López» y vivo aquí',
    'Nazywam się «Małgorzata Zielińska».',
    'меня зовут «Иван Петров», здравствуйте',
    'اسمي «محمد أحمد» وأريد المساعدة',
    'मेरा नाम «राहुल शर्मा» है',
    '我叫«王小明»，你好',
    '请联系«王»先生',
    '私の名前は«田中太郎»です',
    '«山田»様、お世話になります',
    '제 이름은 «김민수»입니다',
    '«김민수»님 안녕하세요',
    'ผมชื่อ«สมชาย ใจดี» ครับ',
    'Tôi tên là «Nguyễn Văn An», xin chào',
    'Nama saya «Budi Santoso».',
    'Name: «Hannah Morgan»',
    'Adım «Ayşe Aydın», merhaba',
    'Yours, Dr. «van der Berg»',
    'Name: «Müller, Sabine»',
    'The record {"first_name":"«Hannah»","last_name":"«Morgan»"}',
    '**Name:** «Emily Thompson»',
    '氏名　«佐藤花子»',
    'LG «Sabine»',
    'Please contact «Hannah Morgan» at once',
    'Kontoinhaber «Anna Hoffmann»',
    'Naam: «S. de Vries»',
    'С уважением,\n«Морозова С. В.»',
    'Soy «Íñigo Etxeberria»',
    'Chào chị «Mai»,',
    'คุณ«วรรณา» โทรมา',
    'ผมชื่อ«กิตติ มีสุข»ครับ',
    'my name is «दीपिका श्रीवास्तव» and i never got it',
    'Hello «ლევან», is there any news?',
  ],
  counterExamples: [
    'Hi Team, any news?',
    'Dear Customer, thank you',
    'This is important',
    'I am American and happy',
    'Thanks for the help',
    'my name is on the list',
    'Best regards',
    'お客様、皆様',
    '고객님 안녕하세요',
    'The file name is config',
    'Hello World',
    'I miss Paris',
    'call me later',
    'ask for help',
    'a function is called TryAgain',
    'Em Lisboa chove',
    'Mas Lisboa é linda',
    '기본 이름은 모든 경로에 있습니다',
    '사전 설정과 일치하지 않습니다',
    'ceux au nom de la liste',
    'dosya adı olarak kullanılır',
    'それらの名前は表示していません',
    'product name: Blue Widget',
    '{"name": "Blue Widget"}',
    'Dr. Pepper and Miss Universe',
    'From: Berlin To: Munich',
    'Hóa đơn INV-2024-44189',
    'คุณช่วยได้ไหม',
  ],
}

type ReadAfter = (text: string, end: number, start: number) => Name | undefined

const READERS: readonly (readonly [string, ReadAfter])[] = [
  ['introduction', readIntroduced],
  ['nameLabel', readLabelled],
  ['weakIntroduction', readWeak],
  ['nameTitle', readTitled],
  ['titleBehind', readBeforeTitle],
  ['greeting', readGreeted],
  ['closing', readClosing],
]
