const READ = 4000

/** The part of a question that is read where a longer one would cost time and tell no more. */
export function startOfQuestion(question: string): string {
  return question.slice(0, READ).toWellFormed()
}
