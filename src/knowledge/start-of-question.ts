const READ = 4000

/** Returns the part of a question that is read: more would cost time and tell nothing new. */
export function startOfQuestion(question: string): string {
  return question.slice(0, READ).toWellFormed()
}
