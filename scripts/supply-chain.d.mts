export function seriousHoles(text: string): string[] | null
