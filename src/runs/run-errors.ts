import { codedSentences } from '../lib/coded-sentences.ts'

/** The reasons why a run ends before its end; rows keep the words. */
export const runErrors = codedSentences({
  process_ended: 'the run ended the service several times',
  cost_limit: 'the run reached its limit of cost',
  internal: 'an internal error ended the run; the log says more',
})
