export async function searchKnowledge(..._a: unknown[]): Promise<never[]> { return [] }
