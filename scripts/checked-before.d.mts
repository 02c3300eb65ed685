export function stampOfTree(folder: string): string | null
export function wasContent(folder: string, check: string, stamp?: string | null): boolean
export function rememberContent(folder: string, check: string, stamp: string | null): void
