export async function seedGuide(..._a: unknown[]): Promise<void> {}
