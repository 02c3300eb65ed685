export function build(): void
export function isBuilt(): boolean
export function sources(): string[]
export function stampOf(files: readonly string[], content?: string): string
