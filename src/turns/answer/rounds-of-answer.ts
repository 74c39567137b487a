import type { ModelAnswer, ModelDelta, ModelPiece, Usage } from '../../model/model.ts'
import { isSilent } from '../../model/never-silent.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { type AnswerStream, onlyBatch } from './answer-stream.ts'
import { collectAnswer } from './collect-answer.ts'

/**
 * Joins what the model says over the rounds of a turn into one answer: tokens are added up, texts stand one below the
 * other. An answer that is no text, such as JSON, is what the last round says.
 */
interface RoundsOfAnswer {
  /** Returns the stream for the next round; null when the answer is wanted in one piece. */
  nextRound(): Pick<AnswerStream, 'follow' | 'hasLeft'> | null
  /** Tells whether a guardrail has ended the answer. */
  isBlocked(): boolean
  /** Adds a round after which the model is asked again. */
  add(said: ModelAnswer): void
  /** Adds the last round. @param otherwise what is said when the model has said nothing in any round and calls nothing */
  end(
    said: ModelAnswer,
    otherwise?: Pick<ModelAnswer, 'retrieval'> & { content: string },
  ): Promise<ModelAnswer>
}

const BETWEEN = '\n\n'

/** @param isText false: the answer is wanted in a form that programs read */
export function roundsOfAnswer(stream: AnswerStream | null, model: string, isText: boolean): RoundsOfAnswer {
  const texts: string[] = []
  let usage: Usage | null = null
  let hasSpoken = false

  /**
   * Yields a round's text as it comes. Calls and the end are held back until it is known whether it is the last round;
   * so is an answer that is no text.
   */
  async function* spoken(pieces: AsyncIterable<ModelPiece[]>, round: ReturnType<typeof collectAnswer>) {
    let isFirst = true
    for await (const batch of pieces) {
      const passed = batch.flatMap((piece): ModelPiece[] => {
        round.add(piece)
        const { tool_calls: _, role, ...delta } = piece.delta
        const told = {
          ...(isText ? delta : unsaid(delta)),
          ...(role && texts.length === 0 && !hasSpoken ? { role } : {}),
        }
        if (told.content && isFirst) {
          isFirst = false
          if (texts.length > 0) told.content = BETWEEN + told.content
        }
        if (Object.keys(told).length === 0) return []
        return [{ ...piece, delta: told, finish_reason: null, usage: null }]
      })
      if (passed.length === 0) continue
      hasSpoken = true
      yield passed
    }
  }

  return {
    nextRound() {
      if (!stream) return null
      let hasLeft = false
      return {
        hasLeft: () => hasLeft,
        async follow(pieces) {
          const round = collectAnswer(model)
          for await (const batch of spoken(pieces, round)) {
            hasLeft ||= batch.some(({ delta }) => delta.content || delta.refusal)
            await stream.follow(onlyBatch(batch))
            if (stream.answer().finish_reason !== '') break
          }
          return round.answer()
        },
      }
    },
    isBlocked: () => stream !== null && stream.answer().finish_reason !== '',
    add(said) {
      usage = addUsage(usage, said.usage)
      if (!isText) return
      const text = textOfContent(said.content)
      if (text !== '') texts.push(text)
    },
    async end(said, otherwise) {
      const total = addUsage(usage, said.usage)
      const text = textOfContent(said.content)
      const instead = texts.length === 0 && isSilent(said) ? otherwise : undefined
      if (stream) {
        if (stream.answer().finish_reason !== '') return { ...stream.answer(), usage: total }
        const { finish_reason, citations, retrieval } = { ...said, ...instead }
        const held = isText ? {} : { content: said.content === null ? null : text, refusal: said.refusal }
        const tool_calls = said.tool_calls.map((call, index) => ({ index, ...call }))
        const last: ModelPiece = {
          delta: {
            ...(instead ? { content: instead.content } : held),
            ...(tool_calls.length > 0 ? { tool_calls } : {}),
          },
          finish_reason,
          usage: total,
          model: said.model,
          ...(citations.length > 0 ? { citations } : {}),
          ...(retrieval ? { retrieval } : {}),
        }
        return stream.follow(onlyBatch([last]))
      }
      if (instead) return { ...said, ...instead, usage: total }
      const content = texts.length === 0 ? said.content : [...texts, text].filter(Boolean).join(BETWEEN)
      return { ...said, content, usage: total }
    },
  }
}

/** The rest of a piece whose part of the answer is held back. */
function unsaid({ content: _, refusal: __, ...others }: ModelDelta): ModelDelta {
  return others
}

/** Adds up the tokens of all rounds. Other fields that a server sends are those of the last round. */
function addUsage(before: Usage | null, now: Usage | null): Usage | null {
  if (!before || !now) return now ?? before
  const sum = (name: 'prompt_tokens' | 'completion_tokens' | 'total_tokens') =>
    (before[name] ?? 0) + (now[name] ?? 0)
  return {
    ...now,
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
  }
}
