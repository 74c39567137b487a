import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { indexWords } from '../../../src/language/words/words.ts'
import type { Findings, FoundPassage } from '../../../src/model/findings.ts'
import { knowledgeAnswerer } from '../../../src/model/knowledge-answerer.ts'
import type { ModelAnswer, ModelMessage, ModelPiece, ModelRequest } from '../../../src/model/model.ts'
import type { KnowledgeSearch } from '../../../src/model/search-in-context.ts'
import { processorTime } from '../../support/processor-time.ts'

type Page = Pick<FoundPassage, 'title' | 'heading' | 'anchor' | 'text'>

/** Finds passages by how many of the question's words they have, all words weighing alike. */
function searchIn(pages: readonly Page[]): KnowledgeSearch {
  return async (query) => {
    const words = [...new Set(indexWords([query].flat().join(' ')))]
    const found = pages.map((page, id) => {
      const there = new Set(indexWords(`${page.heading} ${page.text}`))
      const score = words.filter((word) => there.has(word)).length
      return {
        ...page,
        id,
        source: page.title,
        url: `docs/${page.title}.md`,
        score,
        coverage: score / words.length,
        confidence: score / words.length,
        similarity: null,
      }
    })
    return {
      words: words.map((word) => ({ word, weight: 1, passages: 1 })),
      passages: found.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score),
      threshold: 0.47,
    } satisfies Findings
  }
}

const page = (title: string, text: string): Page => ({ title, heading: '', anchor: '', text })

const pages: Page[] = [
  { title: 'redaction', heading: 'Redaction › Scrub', anchor: 'scrub', text: 'Scrub replaces every text.' },
  {
    title: 'redaction',
    heading: 'Redaction › Limits',
    anchor: 'limits',
    text: 'One call rewrites a thousand rows.',
  },
  {
    title: 'run',
    heading: 'Running',
    anchor: 'running',
    text: `${'Filler sentence about nothing at all. '.repeat(20).trim()}\n\nSet the port like this:\n\n\`\`\`\nPARLEY_PORT=9000\n\nnpm start\n\`\`\`\n\n${'More filler that nobody asked for. '.repeat(20).trim()}`,
  },
]

const asked = (...contents: ModelMessage['content'][]): ModelRequest => ({
  model: 'parley-knowledge',
  messages: contents.flatMap((content, at) => [
    ...(at > 0 ? [{ role: 'assistant' as const, content: 'An answer.' }] : []),
    { role: 'user' as const, content },
  ]),
  parameters: {},
})

const signal = new AbortController().signal

function ask(...contents: ModelMessage['content'][]): Promise<ModelAnswer> {
  return knowledgeAnswerer(searchIn(pages), async () => ['Redaction', 'Running']).complete(
    asked(...contents),
    signal,
  )
}

describe('knowledgeAnswerer', () => {
  test('answers with the passage and where it stands', async () => {
    const answer = await ask('What does scrub replace?')
    assert.equal(answer.content, 'Scrub replaces every text.')
    assert.deepEqual(answer.citations, [
      { title: 'redaction › Scrub', url: 'docs/redaction.md#scrub', snippet: 'Scrub replaces every text.' },
    ])
    assert.equal(answer.finish_reason, 'stop')
    assert.equal(answer.model, 'parley-knowledge')
    assert.deepEqual(answer.tool_calls, [])
    assert.ok(
      answer.usage &&
        answer.usage.total_tokens === answer.usage.prompt_tokens + answer.usage.completion_tokens,
    )
  })

  test('tells how well the best passage fits, from the one search that it makes', async () => {
    let searches = 0
    const answerer = knowledgeAnswerer((query) => {
      searches++
      return searchIn(pages)(query)
    })
    const request = asked('What does scrub replace?')
    assert.deepEqual((await answerer.complete(request, signal)).retrieval, { score: 1, answered: true })
    assert.deepEqual((await answerer.complete(asked('thanks'), signal)).retrieval, {
      score: 0,
      answered: true,
    })
    const pieces = (await Array.fromAsync(answerer.stream(request, signal))).flat()
    assert.deepEqual(pieces.at(-1)?.retrieval, { score: 1, answered: true })
    assert.equal(searches, 2)
    assert.deepEqual((await answerer.complete(asked('zeppelin'), signal)).retrieval, {
      score: 0,
      answered: false,
    })
  })

  test('takes of a long passage the part that fits, a code block whole', async () => {
    const { content } = await ask('How do I set the port?')
    assert.ok(typeof content === 'string' && content.length < 900, String(content))
    assert.match(content, /Set the port like this:\n\n```\nPARLEY_PORT=9000\n\nnpm start\n```/)
  })

  test('names entries that fit a question equally well, once each, and answers from the first', async () => {
    const garages = [
      page('Garage north', 'The garage is open until eight in the evening.'),
      page('Garage south', 'The garage closes at noon on weekends and needs a card.'),
      page('Copy', 'The garage is open until eight in the evening, too.'),
      page('garage north', 'Another garage of the same name, with a ramp.'),
    ]
    const ask = (text: string) => knowledgeAnswerer(searchIn(garages)).complete(asked(text), signal)
    const { content, citations } = await ask('garage?')
    assert.equal(
      content,
      'Did you mean:\n\n- Garage north\n- Garage south\n\n**Garage north**\n\nThe garage is open until eight in the evening.',
    )
    assert.deepEqual(
      citations.map(({ title }) => title),
      ['Garage north', 'Garage south'],
    )
    // The one that leads is the answer.
    assert.equal((await ask('garage weekends card?')).content, garages[1]?.text)
  })

  test('asks what was meant in the language of the question', async () => {
    const pages = ['Nord', 'Süd'].map((title) => ({
      title,
      heading: '',
      anchor: '',
      text: `Die Tiefgarage ${title} liegt ${title === 'Nord' ? 'am Bahnhof' : 'hinter dem Rathaus'}.`,
    }))
    const { content } = await knowledgeAnswerer(searchIn(pages)).complete(
      asked('Wo finde ich bitte die Tiefgarage?'),
      signal,
    )
    assert.match(String(content), /^Meinten Sie:\n\n- Nord\n- Süd\n/)
  })

  test('adds a second passage for the part of the question that the first leaves open', async () => {
    const answer = await ask('Does a scrub replace a thousand rows?')
    assert.equal(answer.content, 'Scrub replaces every text.\n\nOne call rewrites a thousand rows.')
    assert.equal(answer.citations.length, 2)
  })

  test('names up to three pages that may help when some of the question is in a passage', async () => {
    const titles = ['Oslo', 'Rome', 'Paris', 'Vienna']
    const cities = titles.map((title) => ({ title, heading: '', anchor: '', text: `A kettle in ${title}.` }))
    const answerer = knowledgeAnswerer(searchIn(cities))
    const answer = await answerer.complete(asked('Which zeppelin carries a kettle?'), signal)
    assert.equal(
      answer.content,
      'I am not sure, but these pages may help:\n\n- Oslo\n- Rome\n- Paris\n\n' +
        'Write “person” and someone from the team will answer.',
    )
    assert.deepEqual(
      [answer.citations.map(({ title }) => title), answer.retrieval?.answered],
      [['Oslo', 'Rome', 'Paris'], false],
    )
    const german = await answerer.complete(asked('Wo fährt der Zeppelin mit dem kettle?'), signal)
    assert.match(String(german.content), /^Ich bin nicht sicher, aber diese Seiten könnten helfen:/)
  })

  test('tells pages that may help and share a title apart', async () => {
    const kettle = { heading: '', anchor: '', text: 'A kettle in Oslo.', score: 1, similarity: null }
    const passages = ['a/city.md', 'b/city.md'].map((source, id) => ({
      ...{ ...kettle, id, source, title: 'Oslo', url: null, coverage: 0.3, confidence: 0.3 },
    }))
    const answerer = knowledgeAnswerer(async () => ({ words: [], passages, threshold: 0.47 }))
    const answer = await answerer.complete(asked('Which zeppelin carries a kettle?'), signal)
    assert.match(String(answer.content), /\n\n- Oslo \(a\)\n- Oslo \(b\)\n\n/)
    assert.equal(answer.citations.length, 2)
  })

  test('answers from a section of long texts when its headings name what the question does', async () => {
    const section = (heading: string, confidence: number) => ({
      ...{
        id: 1,
        source: 'guide',
        title: 'Guide',
        url: null,
        heading,
        anchor: '',
        text: 'Turn the kettle off.',
      },
      ...{ score: 1, coverage: 1, confidence, similarity: null },
    })
    for (const [heading, confidence, needed, answered] of [
      ['Guide › Kettle', 1, null, true],
      ['Guide › Teapot', 1, null, false],
      ['Guide › Teapot', 1.3, null, true],
      ['Guide › Teapot', 1, 0.9, true],
      ['', 1, null, true],
    ] as const) {
      const findings = {
        words: [{ word: 'kettl', weight: 1, passages: 1 }],
        passages: [section(heading, confidence)],
        threshold: 0.9,
      }
      const answerer = knowledgeAnswerer(async () => findings, undefined, needed)
      const { retrieval } = await answerer.complete(asked('kettle off?'), signal)
      assert.equal(retrieval?.answered, answered, `${heading} ${confidence} ${needed}`)
    }
  })

  test('says that it does not know when most of the question is in no passage', async () => {
    for (const question of ['Which zeppelins fly to Rome and scrub?', 'zeppelin', 'why?', '', '🎈']) {
      const answer = await ask(question)
      assert.match(String(answer.content), /^I don't know/, question)
      assert.deepEqual(answer.citations, [])
    }
  })

  test('lists no document when it knows nothing', async () => {
    const answerer = knowledgeAnswerer(searchIn(pages), async () => ['Salaries of the staff'])
    for (const question of ['zeppelin', 'Wie ist das Wetter in Rom?', 'Какая погода?']) {
      const { content, citations } = await answerer.complete(asked(question), signal)
      assert.ok(!String(content).includes('Salaries'), String(content))
      assert.deepEqual(citations, [])
    }
  })

  for (const [question, answer] of [
    ['Какая погода в Риме?', 'Я не знаю'],
    ['погода', 'Я не знаю'],
    ['Яка погода в Римі?', 'Я не знаю: у моїх'],
    ['ما هو الطقس في روما؟', 'لا أعرف'],
    ['الطقس', 'لا أعرف'],
    ['هوا در رم چطور است؟', 'نمی‌دانم'],
    ['מה מזג האוויר ברומא?', 'אין לי תשובה'],
    ["Roma'da hava nasıl?", 'Bilmiyorum'],
    ['Jaka jest pogoda w Rzymie?', 'Nie wiem'],
    ['Jaké je počasí v Římě?', 'Nevím'],
    ['Milyen az idő Rómában?', 'Nem tudom'],
    ['Cum e vremea la Roma?', 'Nu știu'],
    ['Hur är vädret i Rom?', 'Det vet jag inte'],
    ['Hvordan er været i Roma i dag, og hva koster det?', 'Det vet jeg ikke'],
    ['Hvordan bliver vejret i dag?', 'Det ved jeg ikke'],
    ['Millainen sää on Roomassa?', 'En tiedä'],
    ['Thời tiết ở Roma thế nào?', 'Tôi không biết'],
    ['Bagaimana cuaca di Roma?', 'Saya tidak tahu'],
    ['Τι καιρό κάνει στη Ρώμη;', 'Δεν ξέρω'],
    ['로마 날씨는 어때요?', '잘 모르겠습니다'],
    ['रोम में मौसम कैसा है?', 'मुझे नहीं पता'],
    ['Quel temps fait-il à Rome ?', 'Je ne sais pas'],
    ['¿Qué tiempo hace en Roma?', 'No lo sé'],
    ['Che tempo fa a Roma?', 'Non lo so'],
    ['Quanto custa um dirigível?', 'Não sei'],
    ['Hoeveel kost een luchtschip?', 'Dat weet ik niet'],
    ['อากาศที่โรมเป็นอย่างไร', 'ฉันไม่ทราบ'],
  ] as const) {
    test(`says so in the language of ${question}`, async () => {
      assert.ok(
        String((await ask(question)).content).startsWith(answer),
        String((await ask(question)).content),
      )
    })
  }

  test('says so in the language spoken before when the question is one word', async () => {
    const answer = await ask('Wo kann ich bitte meine Rechnung sehen?', 'Zeppelin')
    assert.match(String(answer.content), /^Das weiß ich nicht/)
  })

  test('says so in the language of the question', async () => {
    assert.match(String((await ask('Wie ist das Wetter in Rom?')).content), /^Das weiß ich nicht/)
    assert.match(String((await ask('明日の天気は？')).content), /^わかりません/)
    assert.match(String((await ask('明天天气怎么样')).content), /^我不知道/)
  })

  test('answers greetings, thanks and "what can you do" in their language', async () => {
    assert.match(String((await ask('Hello!')).content), /^Hello! .*\n\n- Redaction\n- Running$/s)
    assert.match(String((await ask('Guten Tag')).content), /^Hallo!/)
    assert.match(String((await ask('こんにちは')).content), /^こんにちは/)
    assert.match(String((await ask('Привет!')).content), /^Здравствуйте!/)
    assert.match(String((await ask('شكرا')).content), /^على الرحب/)
    assert.match(String((await ask('Ne yapabilirsin?')).content), /^Soruları/)
    assert.match(String((await ask('Thank you!')).content), /^You're welcome/)
    assert.match(String((await ask('What can you do?')).content), /^I answer questions/)
    assert.equal((await ask('Hi, what does scrub replace?')).content, 'Scrub replaces every text.')
  })

  test('reads a short question together with the one before', async () => {
    const answer = await ask('What does scrub replace in redaction?', 'and limits?')
    assert.match(String(answer.content), /^One call rewrites/)
    assert.match(String((await ask('What does scrub replace?', 'and zeppelins?')).content), /^I don't know/)
  })

  test('stays with the subject of the conversation when a question has none of its own', async () => {
    const page = (title: string, text: string): Page => ({ title, heading: '', anchor: '', text })
    const plans = [
      page('Pro', 'The Pro plan with kettles is not free: it is ten dollars.'),
      page('Trial', 'A trial is free.'),
      page('Office', 'Our hours: the office will open at nine.'),
    ]
    const answers = async (...contents: string[]) => {
      const { content } = await knowledgeAnswerer(searchIn(plans)).complete(asked(...contents), signal)
      return plans.find(({ text }) => text === content)?.title
    }
    assert.equal(await answers('Is it free?', 'Which plan has kettles?', 'Is it free?'), 'Pro')
    // Thanks are no subject, and neither is a question that only follows another.
    assert.equal(await answers('Which plan has kettles?', 'ok, thanks!', 'Is it free?'), 'Pro')
    assert.equal(await answers('Which plan has kettles?', 'Is the trial free?'), 'Trial')
    // "Free" has no subject in other languages either, and what only follows does not hide it.
    assert.equal(await answers('Which plan has kettles?', '¿es gratis?'), 'Pro')
    assert.equal(await answers('Which plan has kettles?', 'Is it free?', 'and for a year?'), 'Pro')
    // A question of common words that a passage answers by itself begins another subject.
    assert.equal(await answers('Which plan has kettles?', 'What are your open hours?'), 'Office')
  })

  test('stays with the subject of a question of which the next one has only what differs', async () => {
    const shop = [
      page(
        'Inspection',
        'The inspection of a new kettle is free, for those of other shops it costs ten dollars.',
      ),
      page('Workshop', 'Bring a toaster into our shop.'),
    ]
    const answers = async (...contents: string[]) => {
      const { content } = await knowledgeAnswerer(searchIn(shop)).complete(asked(...contents), signal)
      return shop.find(({ text }) => text === content)?.title
    }
    const first = 'Is there an inspection of a new kettle?'
    assert.equal(await answers(first, 'and for a toaster of another shop?'), 'Inspection')
    assert.equal(await answers(first, 'a toaster of another shop?'), 'Workshop')
  })

  test('answers a question that stands by itself without what only the earlier one explains', async () => {
    const shop = [
      page('Gift', 'A gift card is valid for three years.'),
      page('Leak', 'A leaking kettle is replaced: write to us, and we send a new kettle.'),
      page('Ship', 'We ship parcels to Switzerland and Norway.'),
      page('Descale', 'Descale the kettle with vinegar.'),
      page('Costs', 'Shipping is free over 60 francs.'),
      page('Repair', 'A repair of the toaster is free for two years.'),
      page('Toaster', 'The toaster manual tells how the toaster works.'),
    ]
    const answers = async (...contents: string[]) => {
      const { content } = await knowledgeAnswerer(searchIn(shop)).complete(asked(...contents), signal)
      return shop.find(({ text }) => text === content)?.title ?? String(content).split(':')[0]
    }
    assert.equal(await answers('gift card', 'what is your phone number'), "I don't know")
    assert.equal(await answers('my kettle is leaking', 'do you ship to switzerland'), 'Ship')
    assert.equal(await answers('How do I descale the kettle?', 'Is shipping free over 60?'), 'Costs')
    assert.equal(await answers('How does the toaster manual work?', 'thanks', 'is a repair free?'), 'Repair')
  })

  test('reads text parts, and takes other parts and absent content', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
    const parts = await ask([{ type: 'text', text: 'What does scrub replace?' }, image])
    assert.equal(parts.content, 'Scrub replaces every text.')
    assert.match(String((await ask([image])).content), /^I don't know/)
    assert.match(String((await ask(null)).content), /^I don't know/)
  })

  test('leaves tools and response formats alone', async () => {
    const request = { ...asked('What does scrub replace?'), parameters: { tools: [{}], response_format: {} } }
    const answer = await knowledgeAnswerer(searchIn(pages)).complete(request, signal)
    assert.equal(answer.content, 'Scrub replaces every text.')
  })

  test('streams the same answer in pieces', async () => {
    const request = asked('How do I set the port?')
    const model = knowledgeAnswerer(searchIn(pages))
    const pieces: ModelPiece[] = []
    for await (const batch of model.stream(request, signal)) pieces.push(...batch)
    const whole = await model.complete(request, signal)
    assert.equal(pieces.map(({ delta }) => delta.content ?? '').join(''), whole.content)
    assert.ok(pieces.length > 20)
    assert.equal(pieces[0]?.delta.role, 'assistant')
    const last = pieces.at(-1)
    assert.equal(last?.finish_reason, 'stop')
    assert.deepEqual(last?.citations, whole.citations)
    assert.deepEqual(last?.usage, whole.usage)
    assert.ok(pieces.slice(0, -1).every(({ finish_reason }) => finish_reason === null))
  })

  test('reads a question of megabytes no further than a question goes', async () => {
    const model = knowledgeAnswerer(async () => ({ words: [], passages: [], threshold: 0.47 }))
    const used = processorTime()
    await model.complete(asked('\ufdfa'.repeat(3_000_000)), signal)
    assert.ok(used() < 1000)
  })

  test('stops when the signal fires', async () => {
    const gone = new AbortController()
    const stream = knowledgeAnswerer(searchIn(pages)).stream(asked('How do I set the port?'), gone.signal)
    const read = async () => {
      for await (const _ of stream) gone.abort()
    }
    await assert.rejects(read(), { name: 'AbortError' })
  })

  test('passes on what the search fails with', async () => {
    const model = knowledgeAnswerer(async () => {
      throw new Error('no database')
    })
    await assert.rejects(model.complete(asked('scrub'), signal), /no database/)
  })
})
