/** Where an evaluator's secret is kept: it opens nowhere else. */
export function secretPlace(evaluatorId: number): string {
  return `evaluators|${evaluatorId}|settings.secret`
}
